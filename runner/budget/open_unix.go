//go:build unix

package budget

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// careful makes an open refuse a symbolic link, and not wait for the other end of a pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// belongs reports whether a user owns a file.
func belongs(info fs.FileInfo, user int) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == user
}

// stateHome returns the folder where programs keep their state, by the XDG Base Directory Specification, which ignores
// a path that isn't absolute.
func stateHome() (string, error) {
	if home := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(home) {
		return home, nil
	}
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state"), nil
	}
	return "", errors.New("neither XDG_STATE_HOME nor HOME is a folder's path: set one, or write a path with a slash")
}
