package stream

import (
	"time"

	"golang.org/x/sys/unix"
)

// look waits until one of the descriptors is ready, but no longer than timeout unless that is negative. On macOS,
// select(2) supports terminals and poll(2) doesn't.
func look(at []unix.PollFd, timeout time.Duration) error {
	var set unix.FdSet
	highest := 0
	for _, p := range at {
		set.Set(int(p.Fd))
		highest = max(highest, int(p.Fd))
	}
	var limit *unix.Timeval
	if timeout >= 0 {
		value := unix.NsecToTimeval(timeout.Nanoseconds())
		limit = &value
	}
	_, err := unix.Select(highest+1, &set, nil, nil, limit)
	for i := range at {
		if at[i].Revents = 0; set.IsSet(int(at[i].Fd)) {
			at[i].Revents = unix.POLLIN
		}
	}
	return err
}
