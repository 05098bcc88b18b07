package budget

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// careful is nothing that Windows has.
const careful = 0

// belongs does not ask: Windows lets nobody else into the folder.
func belongs(fs.FileInfo, int) bool { return true }

func stateHome() (string, error) {
	if home := os.Getenv("LOCALAPPDATA"); filepath.IsAbs(home) {
		return home, nil
	}
	return "", errors.New("LOCALAPPDATA is not a folder's path: set it, or write a path with a slash")
}
