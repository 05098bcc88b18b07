package stream

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// temporaryFile opens a file for this user alone. It never had a name or, if the file system doesn't support that, has
// none any more. Where there is no directory for temporary files, as in a container that holds a program and nothing
// else, the file is in memory.
func temporaryFile() (*os.File, error) {
	file, err := namelessFile(os.TempDir())
	if err == nil {
		return file, nil
	}
	if file, err = unlinkedFile(); inMemory(err, os.Getenv("TMPDIR")) {
		return memoryFile(err)
	}
	return file, err
}

// namelessFile opens a file that never has a name.
func namelessFile(directory string) (*os.File, error) {
	descriptor, err := unix.Open(directory, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), directory), nil
}

// inMemory reports whether memory is to take the place of a file that could not be created. It must not fill up instead
// of a disk, or where the user has chosen a directory.
func inMemory(err error, chosen string) bool {
	return err != nil && chosen == "" && !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT)
}

// memoryFile creates a file in memory, because of an error elsewhere.
func memoryFile(because error) (*os.File, error) {
	descriptor, err := unix.MemfdCreate("retry", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("%w; memfd_create: %w", because, err)
	}
	return os.NewFile(uintptr(descriptor), "memory"), nil
}

// reopen opens a temporary file again, to be read from its beginning.
func reopen(file *os.File) (*os.File, error) {
	return os.Open(descriptorPath(int(file.Fd())))
}

// descriptorPath returns a path to the file that one of retry's descriptors refers to.
func descriptorPath(descriptor int) string { return "/proc/self/fd/" + strconv.Itoa(descriptor) }
