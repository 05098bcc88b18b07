package stream

import (
	"time"

	"golang.org/x/sys/unix"
)

// A watcher waits until any of its descriptors is readable.
type watcher struct {
	epoll  int
	events [5]unix.EpollEvent
	found  []int
}

func (w *watcher) open() (err error) {
	w.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	return err
}

// add starts to watch a descriptor.
func (w *watcher) add(descriptor int) {
	w.control(unix.EPOLL_CTL_ADD, descriptor, unix.EPOLLIN)
}

// remove stops watching a descriptor.
func (w *watcher) remove(descriptor int) { w.control(unix.EPOLL_CTL_DEL, descriptor, 0) }

// once watches a descriptor until it has been found readable once. It can be called again after that.
func (w *watcher) once(descriptor int) {
	if w.control(unix.EPOLL_CTL_MOD, descriptor, unix.EPOLLIN|unix.EPOLLONESHOT) != nil {
		w.control(unix.EPOLL_CTL_ADD, descriptor, unix.EPOLLIN|unix.EPOLLONESHOT)
	}
}

func (w *watcher) control(operation, descriptor int, events uint32) error {
	return unix.EpollCtl(w.epoll, operation, descriptor, &unix.EpollEvent{Events: events, Fd: int32(descriptor)})
}

// pending reports whether a wait would return at once. It can be called from any goroutine.
func (w *watcher) pending() bool {
	n, _ := unix.Poll([]unix.PollFd{{Fd: int32(w.epoll), Events: unix.POLLIN}}, 0)
	return n > 0
}

// wait waits for a readable descriptor, but no longer than timeout unless that is negative, and returns those that are
// readable. It may return none before the time is up. The next call overwrites the result.
func (w *watcher) wait(timeout time.Duration) []int {
	n, err := unix.EpollWait(w.epoll, w.events[:], milliseconds(timeout))
	w.found = w.found[:0]
	if err == nil {
		for _, event := range w.events[:n] {
			w.found = append(w.found, int(event.Fd))
		}
	}
	return w.found
}
