//go:build unix && !darwin

package stream

import (
	"time"

	"golang.org/x/sys/unix"
)

// look waits until one of the descriptors is ready, but no longer than timeout unless that is negative.
func look(at []unix.PollFd, timeout time.Duration) error {
	_, err := unix.Poll(at, milliseconds(timeout))
	return err
}
