//go:build unix

package budget

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// careful makes open(2) refuse a symbolic link, and not wait for the other end of a pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// belongs reports whether a user owns a file.
func belongs(info fs.FileInfo, user int) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == user
}

// share lets the group of a new file use it, whatever the umask, if the directory has the set-group-ID bit and the
// group may write to it: everything that is created there belongs to the directory's group.
func share(file *lockedfile.File) {
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil || folder.Mode()&fs.ModeSetgid == 0 || folder.Mode()&0o020 == 0 {
		return
	}
	if info, err := file.Stat(); err == nil {
		_ = file.Chmod(info.Mode().Perm() | 0o060)
	}
}

// remedy says how the owner of a file can let others use it.
func remedy(path string, info fs.FileInfo) string {
	owner, who := "its owner", "all users"
	if status, ok := info.Sys().(*syscall.Stat_t); ok && status.Uid == 0 {
		owner = "root"
	}
	mode := info.Mode().Perm() | 0o666
	if folder, err := os.Stat(filepath.Dir(path)); err == nil && folder.Mode()&fs.ModeSetgid != 0 {
		who, mode = "its group", info.Mode().Perm()|0o660
	}
	return fmt.Sprintf("%s can share it with %s by chmod %o %s", owner, who, mode, path)
}

// stateHome returns the directory for the state of programs, according to the XDG Base Directory Specification, which
// ignores a path that isn't absolute.
func stateHome() (string, error) {
	if home := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(home) {
		return home, nil
	}
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state"), nil
	}
	return "", errors.New("neither XDG_STATE_HOME nor HOME is an absolute path; set one, or use a path with a slash")
}
