package stream

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// temporaryFile opens a file that never had a name, if the file system supports that. Where there is no directory for
// one, as in a container that holds nothing but programs, the file is in memory.
func temporaryFile() (*os.File, error) {
	descriptor, err := unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		return os.NewFile(uintptr(descriptor), os.TempDir()), nil
	}
	file, err := unlinkedFile()
	if err == nil || os.Getenv("TMPDIR") != "" || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return file, err
	}
	descriptor, missing := unix.MemfdCreate("retry", unix.MFD_CLOEXEC)
	if missing != nil {
		return nil, fmt.Errorf("%w; nor a file in memory: memfd_create: %w", err, missing)
	}
	return os.NewFile(uintptr(descriptor), "memory"), nil
}

// reopen opens a temporary file a second time, to be read from its beginning.
func reopen(file *os.File) (*os.File, error) {
	return os.Open(descriptorPath(int(file.Fd())))
}

// descriptorPath is the name of what a descriptor of retry's refers to.
func descriptorPath(descriptor int) string { return "/proc/self/fd/" + strconv.Itoa(descriptor) }
