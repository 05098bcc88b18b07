package stream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A temporary file leaves no name, belongs to this user alone, isn't inherited, and can be written and opened again.
func TestTemporaryFile(t *testing.T) {
	for name, create := range map[string]func() (*os.File, error){
		"any":      temporaryFile,
		"unlinked": unlinkedFile,
		"memory":   func() (*os.File, error) { return memoryFile(nil) },
	} {
		t.Setenv("TMPDIR", t.TempDir())
		file, err := create()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer file.Close()
		write(t, file, "text")
		again, err := reopen(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer again.Close()
		if text, err := io.ReadAll(again); string(text) != "text" || err != nil {
			t.Errorf("%s: read %q, %v", name, text, err)
		}
		if flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFD, 0); flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("%s: the command inherits the file: %v", name, err)
		}
		if left, err := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 || err != nil {
			t.Errorf("%s: %v is left, %v", name, left, err)
		}
		if info, err := file.Stat(); name != "memory" && info.Mode() != 0o600 {
			t.Errorf("%s: the mode is %v, %v", name, info.Mode(), err)
		}
	}
}

// Where the file system can do it, a temporary file never has a name, which would be left behind by a crash.
func TestTemporaryFileWithoutName(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	want := "#"
	if descriptor, err := unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_WRONLY, 0o600); err == nil {
		unix.Close(descriptor)
	} else {
		want = "retry-"
	}
	file, err := temporaryFile()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	path, err := os.Readlink(descriptorPath(int(file.Fd())))
	if err != nil || !strings.HasPrefix(filepath.Base(path), want) {
		t.Errorf("the file is %s, %v, want %s*", path, err, want)
	}
}

// Memory is used if there is no directory, but not for what fills a disk or if the user has named a directory.
func TestInMemory(t *testing.T) {
	for _, test := range []struct {
		err    error
		chosen string
		want   bool
	}{
		{nil, "", false},
		{unix.ENOENT, "", true},
		{unix.EROFS, "", true},
		{unix.ENOENT, "/no/such/directory", false},
		{fmt.Errorf("/tmp: %w", unix.ENOSPC), "", false},
		{fmt.Errorf("/tmp: %w", unix.EDQUOT), "", false},
	} {
		if got := inMemory(test.err, test.chosen); got != test.want {
			t.Errorf("%v, TMPDIR=%s: %v", test.err, test.chosen, got)
		}
	}
}

// Without any room, the error says what failed first.
func TestMemoryFileWithoutDescriptors(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	file, err := memoryFile(unix.ENOENT)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if file != nil || !errors.Is(err, unix.ENOENT) || !errors.Is(err, unix.EMFILE) {
		t.Errorf("got %v, %v", file, err)
	}
}
