package budget

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// careful is 0: Windows has neither of these flags.
const careful = 0

// belongs returns true: Windows lets no other user into the directory.
func belongs(fs.FileInfo, int) bool { return true }

// share does nothing: a new file inherits the permissions of its directory.
func share(*lockedfile.File) {}

// remedy says how the owner of a file can let others use it.
func remedy(path string, _ fs.FileInfo) string { return "its owner can let others change " + path }

// stateHome returns the directory for the state of programs.
func stateHome() (string, error) {
	if home := os.Getenv("LOCALAPPDATA"); filepath.IsAbs(home) {
		return home, nil
	}
	return "", errors.New("LOCALAPPDATA is not an absolute path; set it, or use a path with a slash")
}
