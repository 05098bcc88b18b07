//go:build unix

package stream

import (
	"os"

	"golang.org/x/sys/unix"

	"retry/runner/console"
)

// lookEvery is the time between two looks for a reader, in milliseconds, where poll(2) can't be left to wait for its end.
const lookEvery = 200

// poller is console.Poll, or what a test puts in its place.
type poller func(descriptors []unix.PollFd, milliseconds int)

// isPipe reports whether standard output is a pipe.
func isPipe() bool {
	var info unix.Stat_t
	return unix.Fstat(1, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFIFO
}

// ReaderHasGone reports whether standard output is a pipe that nobody reads any more.
func ReaderHasGone() bool { return readerHasGone(console.Poll, 1) && isPipe() }

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
			if awaitReader(console.Poll, 1, descriptor, waitsSilently) {
				close(told)
			}
		})
	}()
	return told, func() { hold.Close() }
}

// readerHasGone looks at a descriptor for writing. Linux tells by POLLERR that nobody reads any more, the others by
// POLLHUP, and macOS only who asks for something.
func readerHasGone(poll poller, descriptor int) bool {
	at := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLOUT}}
	poll(at, 0)
	return lost(at[0])
}

// lost reports whether a descriptor for writing was seen to have no reader.
func lost(at unix.PollFd) bool { return at.Revents&(unix.POLLERR|unix.POLLHUP) != 0 }

// awaitReader returns true when nobody reads from a descriptor any more, and false once the other end of the pipe cancel
// is closed. A system that waits silently wakes it for nothing else; on others it looks from time to time, because what
// they wait for is a pipe with room, which it has all the time.
func awaitReader(poll poller, descriptor, cancel int, silently bool) bool {
	for {
		canceled := unix.PollFd{Fd: int32(cancel), Events: unix.POLLIN}
		if silently {
			at := []unix.PollFd{{Fd: int32(descriptor)}, canceled}
			poll(at, -1)
			return lost(at[0])
		}
		if readerHasGone(poll, descriptor) {
			return true
		}
		at := []unix.PollFd{canceled}
		if poll(at, lookEvery); at[0].Revents != 0 {
			return false
		}
	}
}
