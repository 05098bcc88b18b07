package stream

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// temporaryFile opens a file that never had a name, if the file system supports that.
func temporaryFile() (*os.File, error) {
	descriptor, err := unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(descriptor), os.TempDir()), nil
}

// reopen opens a temporary file a second time, to be read from its beginning.
func reopen(file *os.File) (*os.File, error) {
	return os.Open(descriptorPath(int(file.Fd())))
}

// descriptorPath is the name of what a descriptor of retry's refers to.
func descriptorPath(descriptor int) string { return "/proc/self/fd/" + strconv.Itoa(descriptor) }
