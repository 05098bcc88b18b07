//go:build unix

package stream

import (
	"os"

	"golang.org/x/sys/unix"

	"retry/runner/console"
)

// isPipe reports whether standard output is a pipe.
func isPipe() bool {
	var info unix.Stat_t
	return unix.Fstat(1, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFIFO
}

// ReaderHasGone reports whether standard output is a pipe that nobody reads any more.
func ReaderHasGone() bool {
	poll := []unix.PollFd{{Fd: 1}}
	console.Poll(poll, 0)
	return poll[0].Revents&unix.POLLERR != 0 && isPipe()
}

// WatchReader returns a channel that is closed when nobody reads standard output any more. It is nil if standard output
// isn't a pipe. release ends the watch.
func WatchReader() (gone <-chan struct{}, release func()) {
	if !isPipe() {
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
			console.Poll(poll, -1)
			if poll[0].Revents&unix.POLLERR != 0 {
				close(told)
			}
		})
	}()
	return told, func() { hold.Close() }
}
