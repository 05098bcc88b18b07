//go:build unix && !linux

package stream

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A watcher waits for what comes to any of some descriptors. Of those to which something has come since the last time it
// tells in the order in which they were added.
type watcher struct {
	at    []unix.PollFd
	found []int
}

func (w *watcher) open() error { return nil }

// add watches a descriptor.
func (w *watcher) add(descriptor int) {
	w.at = append(w.at, unix.PollFd{Fd: int32(descriptor), Events: unix.POLLIN})
}

// remove does so no longer.
func (w *watcher) remove(descriptor int) {
	w.at = slices.DeleteFunc(w.at, func(p unix.PollFd) bool { return p.Fd == int32(descriptor) })
}

// wait is for so long at most; a time below 0 is without end. It may return early.
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

// An order does not know anything here.
type order struct{}

func (*order) open(*watcher)     {}
func (*order) add(*terminal)     {}
func (*order) turns([]int) []int { return nil }
