//go:build unix

package stream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that could not be examined before the attempt was not necessarily created by the attempt.
func TestRewindUnknown(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if err := os.Symlink(name, name); err != nil { // a loop, which stat(2) refuses to follow
		t.Fatal(err)
	}
	r := NewRewinder([]string{name})
	r.Note()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("all of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	warnings := r.Rewind()
	if len(warnings) != 1 || !strings.Contains(warnings[0], "its length before the attempt is unknown") {
		t.Errorf("warnings: %q", warnings)
	}
	if text, err := os.ReadFile(name); string(text) != "all of it" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
