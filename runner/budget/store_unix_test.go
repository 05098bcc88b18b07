//go:build unix

package budget

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// refuses checks that no call uses what is there, and that each returns an error and the result for a full budget.
func refuses(t *testing.T, s *Store, want string) {
	t.Helper()
	for _, c := range calls {
		if err := c.call(s); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", c.name, err, want)
		}
	}
	if k, now, err := s.State(); k != s.budget.Full(now) || err == nil || err.Error() != want {
		t.Errorf("the state: %+v, %v, want %s", k, err, want)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestStoreModes(t *testing.T) {
	for umask, shared := range map[int]fs.FileMode{0o022: 0o644, 0: 0o666, 0o077: 0o600, 0o002: 0o664} {
		folder := filepath.Join(home(t), "state")
		t.Setenv("XDG_STATE_HOME", folder)
		path := file(t)
		before := syscall.Umask(umask)
		own, _ := open(t, "ci", policy.StandardBudget())
		takes(t, own, true)
		common, _ := open(t, path, policy.StandardBudget())
		takes(t, common, true)
		syscall.Umask(before)
		for path, want := range map[string]fs.FileMode{
			folder:                         fs.ModeDir | 0o700,
			filepath.Join(folder, "retry"): fs.ModeDir | 0o700,
			filepath.Dir(own.path):         fs.ModeDir | 0o700,
			filepath.Join(own.path):        0o600,
			path:                           shared,
		} {
			if got := mode(t, path); got != want {
				t.Errorf("umask %03o: %s is %v, want %v", umask, path, got, want)
			}
		}
	}
}

// In a directory with the set-group-ID bit, budgets belong to the directory's group.
func TestStoreInGroupsFolder(t *testing.T) {
	for folder, want := range map[fs.FileMode]fs.FileMode{
		fs.ModeSetgid | 0o775: 0o664,
		fs.ModeSetgid | 0o755: 0o644,
		0o775:                 0o644,
		0o777:                 0o644,
	} {
		path := file(t)
		if err := os.Chmod(filepath.Dir(path), folder); err != nil {
			t.Fatal(err)
		}
		before := syscall.Umask(0o022)
		s, _ := open(t, path, policy.StandardBudget())
		takes(t, s, true)
		syscall.Umask(before)
		if got := mode(t, path); got != want {
			t.Errorf("in a directory with mode %v the file has %v, want %v", folder, got, want)
		}
	}
}

// A user who may not use a budget learns how that can be changed.
func TestRemedy(t *testing.T) {
	path := file(t)
	write(t, path, "")
	for _, test := range []struct {
		folder, file fs.FileMode
		want         string
	}{
		{0o755, 0o644, "all users by chmod 666 "},
		{0o755, 0o600, "all users by chmod 666 "},
		{fs.ModeSetgid | 0o775, 0o644, "its group by chmod 664 "},
	} {
		if err := errors.Join(os.Chmod(filepath.Dir(path), test.folder), os.Chmod(path, test.file)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		owner := "its owner"
		if os.Getuid() == 0 {
			owner = "root"
		}
		if got, want := remedy(path, info), owner+" can share it with "+test.want+path; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if os.Getuid() == 0 {
		return // root may use any file
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	s, _ := open(t, path, policy.StandardBudget())
	if _, err := s.Take(); err == nil || !strings.HasSuffix(err.Error(), "permission denied: its owner can share it with its group by chmod 660 "+path) {
		t.Errorf("taking from another user's budget: %v", err)
	}
}

func TestStoreRefusesLinks(t *testing.T) {
	b := policy.Budget{Tokens: 10, Refund: 0.1}
	elsewhere := t.TempDir()
	target := filepath.Join(elsewhere, "target")
	link := func(to, path string) {
		t.Helper()
		if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(to, path)); err != nil {
			t.Fatal(err)
		}
	}
	for _, there := range []bool{false, true} {
		if there {
			write(t, target, "")
		}
		folder := home(t)
		for _, path := range []string{filepath.Join(folder, "retry", "budgets", "ci"), filepath.Join(folder, "link")} {
			link(target, path)
			name := path
			if strings.HasSuffix(path, "ci") {
				name = "ci"
			}
			s, _ := open(t, name, b)
			refuses(t, s, path+" is a symbolic link")
		}
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) != 1 || content(t, target) != "" {
		t.Errorf("a link was followed: %v, %v", list, err)
	}
	for _, name := range []string{"retry", "retry/budgets"} {
		folder := home(t)
		link(elsewhere, filepath.Join(folder, name))
		s, _ := open(t, "ci", b)
		refuses(t, s, filepath.Join(folder, name)+" is a symbolic link")
	}
	folder := home(t)
	link(elsewhere, filepath.Join(folder, "state"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(folder, "state"))
	s, _ := open(t, "ci", b)
	takes(t, s, true) // the state directory itself may be a link
	if got := mode(t, filepath.Join(elsewhere, "retry", "budgets", "ci")); got != 0o600 {
		t.Errorf("the file is %v", got)
	}
}

// careful takes effect if a link or a pipe appears between the check and the open.
func TestCareful(t *testing.T) {
	folder := t.TempDir()
	pipe, link := filepath.Join(folder, "pipe"), filepath.Join(folder, "link")
	if err := errors.Join(unix.Mkfifo(pipe, 0o600), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	if file, err := os.OpenFile(pipe, os.O_RDONLY|careful, 0); err != nil {
		t.Errorf("a pipe: %v", err)
	} else {
		_ = file.Close()
	}
	if file, err := os.OpenFile(link, os.O_RDWR|os.O_CREATE|careful, 0o600); err == nil {
		t.Error("a link was followed")
		_ = file.Close()
	}
}

func TestStoreRefusesOtherFiles(t *testing.T) {
	folder := home(t)
	s, _ := open(t, "ci", policy.Budget{Tokens: 10, Refund: 0.1})
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"socket": func(path string) error {
			descriptor, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			defer unix.Close(descriptor)
			t.Chdir(filepath.Dir(path)) // the whole path may be too long for a socket
			return unix.Bind(descriptor, &unix.SockaddrUnix{Name: filepath.Base(path)})
		},
	} {
		for _, path := range []string{s.path, filepath.Join(folder, name)} {
			if err := put(path); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		refuses(t, s, s.path+" is not a regular file")
		shared, _ := open(t, filepath.Join(folder, name), s.budget)
		refuses(t, shared, shared.path+" is not a regular file")
		if err := os.Remove(s.path); err != nil {
			t.Fatal(err)
		}
	}
	device, _ := open(t, "/dev/null", s.budget)
	refuses(t, device, "/dev/null is not a regular file")
	for _, path := range []string{filepath.Dir(s.path), filepath.Join(folder, "retry")} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		write(t, path, "")
		refuses(t, s, path+" is not a directory")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// In the user's own directory, no file may belong to somebody else. A file with a path may.
func TestStoreRefusesOwners(t *testing.T) {
	folder := home(t)
	s, _ := open(t, "ci", policy.Budget{Tokens: 10, Refund: 0.1})
	takes(t, s, true)
	s.user++ // only root could change the owner of the files
	refuses(t, s, filepath.Join(folder, "retry")+" belongs to another user")
	info, err := os.Lstat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.check(s.path, info, false); err == nil || err.Error() != s.path+" belongs to another user" {
		t.Errorf("the file: %v", err)
	}
	shared, _ := open(t, s.path, s.budget)
	shared.user++
	takes(t, shared, true)
}

func TestStateHome(t *testing.T) {
	tests := []struct{ state, home, want string }{
		{"/state", "/home/a", "/state"},
		{"", "/home/a", "/home/a/.local/state"},
		{"state", "/home/a", "/home/a/.local/state"},
		{"/state", "", "/state"},
		{"", "", ""},
		{"state", "home", ""},
	}
	for _, test := range tests {
		t.Setenv("XDG_STATE_HOME", test.state)
		t.Setenv("HOME", test.home)
		got, err := stateHome()
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q, %q: %q, %v, want %q", test.state, test.home, got, err, test.want)
		}
		store, err := Open("ci", policy.StandardBudget())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Held(); test.want == "" && err == nil {
			t.Errorf("%q, %q: a budget's name: %v", test.state, test.home, err)
		}
	}
}

// The real clock is Unix time.
func TestWall(t *testing.T) {
	if apart := time.Until(time.Unix(0, int64(wall()))).Abs(); apart > time.Hour {
		t.Errorf("the clock is off by %v", apart)
	}
}
