//go:build unix

package stream

import (
	"os"

	"golang.org/x/sys/unix"

	"retry/runner/console"
)

// lookEvery is the time in milliseconds between two checks for a reader, where poll(2) can't wait until there is none.
const lookEvery = 200

// poller is console.Poll or a test's replacement.
type poller func(descriptors []unix.PollFd, milliseconds int)

// isPipe reports whether standard output is a pipe.
func isPipe() bool {
	var info unix.Stat_t
	return unix.Fstat(1, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFIFO
}

// ReaderHasGone reports whether standard output is a pipe without a reader.
func ReaderHasGone() bool { return readerHasGone(console.Poll, 1) && isPipe() }

// WatchReader returns a channel that is closed when standard output has lost its reader. It is nil if standard output
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

// readerHasGone reports whether a descriptor for writing has no reader. poll(2) reports that by POLLERR on Linux and by
// POLLHUP on the other systems, on macOS only if some event is requested.
func readerHasGone(poll poller, descriptor int) bool {
	at := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLOUT}}
	poll(at, 0)
	return lost(at[0])
}

// lost reports whether poll(2) found no reader.
func lost(at unix.PollFd) bool { return at.Revents&(unix.POLLERR|unix.POLLHUP) != 0 }

// awaitReader returns true when nobody reads from a descriptor any more, and false once the other end of the pipe
// cancel is closed. If silently is true, only these two events wake it. Otherwise it checks every lookEvery, because
// poll(2) would have to wait for room in the pipe, and there nearly always is some.
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
