//go:build unix

package process

import (
	"errors"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

var errNotFound = errors.New("command not found")

// defaultPath is what execvp(3) searches if PATH is not set.
const defaultPath = "/bin:/usr/bin"

// findExecutable finds a command as execvp(3) does: a name with a slash is a path, and any other name is looked up in
// PATH, where an empty element stands for the working directory. The error is EACCES if there is a file but it can't be
// executed.
func findExecutable(name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, executable(name)
	}
	if name == "" {
		return "", errNotFound
	}
	search, set := os.LookupEnv("PATH")
	if !set {
		search = defaultPath
	}
	failure := errNotFound
	for dir := range strings.SplitSeq(search, ":") {
		if dir == "" {
			dir = "."
		}
		path := dir + "/" + name
		switch err := executable(path); err {
		case nil:
			return path, nil
		case syscall.EACCES:
			failure = err
		}
	}
	return "", failure
}

// executable returns nil, errNotFound, or the reason why the file can't be executed. It leaves to the kernel what only
// the kernel can find out.
func executable(path string) error {
	switch err := unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS); err {
	case nil:
	case unix.ENOENT, unix.ENOTDIR:
		return errNotFound
	default:
		return err
	}
	var info unix.Stat_t
	if unix.Stat(path, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFDIR {
		return syscall.EACCES
	}
	return nil
}

// Executable reports whether name is a command that can be executed.
func Executable(name string) bool {
	_, err := findExecutable(name)
	return err == nil
}
