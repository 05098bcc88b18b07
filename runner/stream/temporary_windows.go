package stream

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// temporaryFile opens a file that goes when it is closed, or when retry dies. Its folder is the user's own.
func temporaryFile() (*os.File, error) {
	name := filepath.Join(os.TempDir(), "retry-"+rand.Text())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}
