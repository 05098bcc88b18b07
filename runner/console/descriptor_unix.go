//go:build unix

package console

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Descriptor writes to a file descriptor that retry was started with. Unlike an os.File it never raises SIGPIPE: when
// the reader has gone, it returns an error. It also handles a descriptor that another process has made non-blocking.
type Descriptor int

func (d Descriptor) Write(data []byte) (int, error) {
	written := 0
	for written < len(data) {
		n, err := syscall.Write(int(d), data[written:])
		written += max(0, n)
		switch err {
		case nil, syscall.EINTR:
		case syscall.EAGAIN:
			ready := []unix.PollFd{{Fd: int32(d), Events: unix.POLLOUT}}
			Poll(ready, -1)
		default:
			return written, err
		}
	}
	return written, nil
}

// Poll calls poll(2) until it isn't interrupted by a signal. After an error, no descriptor has any events.
func Poll(descriptors []unix.PollFd, milliseconds int) {
	for {
		if _, err := unix.Poll(descriptors, milliseconds); err != unix.EINTR {
			return
		}
	}
}
