package stream

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// temporaryFile opens a file that never had a name or, if the file system doesn't support that, has none any more.
// Where there is no directory for temporary files, as in a container that holds a program and nothing else, the file is
// in memory.
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
		return nil, fmt.Errorf("%w; memfd_create: %w", err, missing)
	}
	return os.NewFile(uintptr(descriptor), "memory"), nil
}

// reopen opens a temporary file again, to be read from its beginning.
func reopen(file *os.File) (*os.File, error) {
	return os.Open(descriptorPath(int(file.Fd())))
}

// descriptorPath returns a path to the file that one of retry's descriptors refers to.
func descriptorPath(descriptor int) string { return "/proc/self/fd/" + strconv.Itoa(descriptor) }
