package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// temporaryFile opens a file that never had a name, where the file system can do that.
func temporaryFile() (*os.File, error) {
	descriptor, err := unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(descriptor), os.TempDir()), nil
}
