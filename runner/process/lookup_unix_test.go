//go:build unix

package process

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLookup expects the results of execvp(3).
func TestLookup(t *testing.T) {
	work := t.TempDir()
	t.Chdir(work)
	for path, mode := range map[string]os.FileMode{"here": 0o755, "a/tool": 0o644, "b/tool": 0o755, "a/text": 0o644, "a/dir/x": 0o755, "b/deep": 0o755} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	const notFound, denied = "command not found", "permission denied"
	for _, test := range []struct{ path, name, want string }{
		{"a:b", "tool", "b/tool"},
		{"a:b", "deep", "b/deep"},
		{"b:a", "text", denied},
		{"a:b", "text", denied},
		{"a", "dir", denied},
		{"a:b", "none", notFound},
		{"a/text:b", "none", notFound},
		{"a:b", "here", notFound},
		{"a:", "here", "./here"},
		{"", "here", "./here"},
		{"a", "", notFound},
		{"", "a/tool", denied},
		{"", "b/tool", "b/tool"},
		{"", "b/none", notFound},
		{"", "b/tool/x", notFound},
	} {
		t.Setenv("PATH", test.path)
		got, err := findExecutable(test.name)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q in %q: %s, want %s", test.name, test.path, got, test.want)
		}
		if Executable(test.name) != (err == nil) {
			t.Errorf("%q in %q: executable: %t", test.name, test.path, err != nil)
		}
	}
	os.Unsetenv("PATH")
	if got, err := findExecutable("sh"); got != "/bin/sh" || err != nil {
		t.Errorf("sh without PATH: %s, %v", got, err)
	}
}
