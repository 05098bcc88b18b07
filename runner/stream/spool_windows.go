package stream

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// temporaryFile creates a file in the user's own directory. It is deleted when it is closed, which happens even if retry
// crashes.
func temporaryFile() (*os.File, error) {
	name := filepath.Join(os.TempDir(), "retry-"+rand.Text())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}
