//go:build unix && !linux

package stream

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A watcher waits until any of its descriptors is readable. It returns them in the order in which they were added.
type watcher struct {
	at    []unix.PollFd
	found []int
}

func (w *watcher) open() error { return nil }

// add starts to watch a descriptor.
func (w *watcher) add(descriptor int) {
	w.at = append(w.at, unix.PollFd{Fd: int32(descriptor), Events: unix.POLLIN})
}

// remove stops watching a descriptor.
func (w *watcher) remove(descriptor int) {
	w.at = slices.DeleteFunc(w.at, func(p unix.PollFd) bool { return p.Fd == int32(descriptor) })
}

// wait waits for a readable descriptor, but no longer than timeout unless that is negative, and returns those that are
// readable. It may return none before the time is up. The next call overwrites the result.
func (w *watcher) wait(timeout time.Duration) []int {
	w.found = w.found[:0]
	if look(w.at, timeout) == nil {
		for _, p := range w.at {
			if p.Revents != 0 {
				w.found = append(w.found, int(p.Fd))
			}
		}
	}
	return w.found
}

// pending can't tell: the descriptors belong to the goroutine that waits.
func (w *watcher) pending() bool { return false }

// An order knows nothing on these systems.
type order struct{}

func (*order) open(*watcher)         {}
func (*order) add(*terminal)         {}
func (*order) next([]int) []int      { return nil }
func (*order) await(_, _ []int) bool { return false }
