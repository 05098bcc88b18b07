//go:build unix

package runner

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchReader tells when nobody reads standard output any more, if it is a pipe. release ends the watch.
func watchReader() (gone <-chan struct{}, release func()) {
	var info unix.Stat_t
	if unix.Fstat(1, &info) != nil || info.Mode&unix.S_IFMT != unix.S_IFIFO {
		return nil, func() {}
	}
	cancel, hold, err := os.Pipe()
	if err != nil {
		return nil, func() {}
	}
	told := make(chan struct{})
	go func() {
		defer cancel.Close()
		control(cancel, func(descriptor int) {
			poll := []unix.PollFd{{Fd: 1}, {Fd: int32(descriptor)}}
			for {
				if _, err := unix.Poll(poll, -1); err != unix.EINTR {
					break
				}
			}
			if poll[0].Revents&unix.POLLERR != 0 {
				close(told)
			}
		})
	}()
	return told, func() { hold.Close() }
}
