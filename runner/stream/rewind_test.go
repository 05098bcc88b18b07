//go:build unix

package stream

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Appended text is cut off. A file that is no longer what it was is left alone, with a warning that says why.
func TestRewind(t *testing.T) {
	puts := func(text string) func(name string) error {
		return func(name string) error { return os.WriteFile(name, []byte(text), 0o600) }
	}
	for _, test := range []struct {
		name            string
		before, attempt func(name string) error
		want            string // what is in the file, or - for no file
		warning         string
	}{
		{"appended to", puts("old"), puts("old, new"), "old", ""},
		{"not touched", puts("old"), nil, "old", ""},
		{"created", nil, puts("new"), "", ""},
		{"created empty", nil, puts(""), "", ""},
		{"never there", nil, nil, "-", ""},
		{"removed", puts("old"), os.Remove, "-", "it has been removed"},
		{"shorter", puts("old"), puts("ol"), "ol", "it has become shorter"},
		{"emptied", puts("old"), puts(""), "", "it has become shorter"},
		{"replaced", puts("old"), func(n string) error {
			if err := puts("old, new")(n + ".new"); err != nil {
				return err
			}
			return os.Rename(n+".new", n)
		}, "old, new", "it has been replaced"},
		{"a directory", nil, func(n string) error { return os.Mkdir(n, 0o700) }, "-", "it is not a regular file"},
		// A loop, which stat(2) refuses to follow: the file need not have been created by the attempt.
		{"a loop before", func(n string) error { return os.Symlink(n, n) }, func(n string) error {
			if err := os.Remove(n); err != nil {
				return err
			}
			return puts("all of it")(n)
		}, "all of it", "its length before the attempt is unknown: stat "},
		{"a loop after", nil, func(n string) error { return os.Symlink(n, n) }, "-", "stat "},
	} {
		name := filepath.Join(t.TempDir(), "log")
		if test.before != nil {
			if err := test.before(name); err != nil {
				t.Fatal(err)
			}
		}
		other := filepath.Join(t.TempDir(), "other")
		r := NewRewinder([]string{name, other})
		r.Note()
		if test.attempt != nil {
			if err := test.attempt(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := puts("x")(other); err != nil {
			t.Fatal(err)
		}
		warnings := strings.Join(r.Rewind(), "\n")
		prefix := "--rewind: " + name + " is left as it is: " + test.warning
		if test.warning == "" && warnings != "" || test.warning != "" && !strings.HasPrefix(warnings, prefix) {
			t.Errorf("%s: the warning is %q, want %q", test.name, warnings, test.warning)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			text = []byte("-")
		}
		if string(text) != test.want {
			t.Errorf("%s: the file contains %q, want %q", test.name, text, test.want)
		}
		if text, err := os.ReadFile(other); len(text) > 0 || err != nil {
			t.Errorf("%s: the next file contains %q, %v", test.name, text, err)
		}
	}
}

// If retry's own output goes to the file, the next attempt continues where the file ends. If retry has a place before
// that, it stays there, and so it does in another file.
func TestRewindOwnOutput(t *testing.T) {
	for descriptor := 1; descriptor <= 2; descriptor++ {
		for _, test := range []struct {
			at   int64 // where retry's output is after the attempt
			want string
		}{{8, "old, again"}, {3, "oldagain"}, {5, "old, again"}, {1, "oagain"}} {
			outputs(t)
			name := filepath.Join(t.TempDir(), "log")
			file, err := os.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			replace(t, descriptor, file)
			files := [...]*os.File{os.Stdout, os.Stderr}
			own, other := files[descriptor-1], files[2-descriptor]
			write(t, other, "something else")
			write(t, own, "old, ")
			r := NewRewinder([]string{name})
			r.Note()
			write(t, own, "new")
			if _, err := file.Seek(test.at, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			if warnings := r.Rewind(); warnings != nil {
				t.Errorf("warnings: %q", warnings)
			}
			write(t, own, "again")
			if text, err := os.ReadFile(name); string(text) != test.want || err != nil {
				t.Errorf("descriptor %d at %d: the file contains %q, want %q, %v", descriptor, test.at, text, test.want, err)
			}
			if at, err := other.Seek(0, io.SeekCurrent); at != int64(len("something else")) || err != nil {
				t.Errorf("descriptor %d at %d: the place in another file is %d, %v", descriptor, test.at, at, err)
			}
			file.Close()
		}
	}
}
