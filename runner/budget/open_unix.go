//go:build unix

package budget

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// careful makes an open refuse a link, and not wait for somebody at the other end of a pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// belongs tells whether a user owns a file.
func belongs(info fs.FileInfo, user int) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == user
}

// stateHome is where programs keep their state, as the XDG Base Directory Specification has it: a path that is not
// absolute counts as none.
func stateHome() (string, error) {
	if home := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(home) {
		return home, nil
	}
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state"), nil
	}
	return "", errors.New("neither XDG_STATE_HOME nor HOME is a folder's path: set one, or write a path with a slash")
}
