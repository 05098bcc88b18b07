//go:build unix && !darwin

package stream

import (
	"time"

	"golang.org/x/sys/unix"
)

// look waits until one of the descriptors is ready, for so long at most; below 0 is without end. It may return early.
func look(at []unix.PollFd, timeout time.Duration) {
	milliseconds := -1
	if timeout >= 0 {
		milliseconds = int((timeout + time.Millisecond - 1) / time.Millisecond)
	}
	if _, err := unix.Poll(at, milliseconds); err != nil {
		for i := range at {
			at[i].Revents = 0
		}
	}
}
