package stream

import "golang.org/x/sys/unix"

// release closes what streams keep open until retry ends.
func release(s *Streams) {
	if watch := &s.input.guard.watch; watch.descriptor != 0 {
		unix.Close(watch.descriptor)
		watch.descriptor = 0
	}
	for _, c := range s.carriers {
		if c.order.inotify != 0 {
			unix.Close(c.order.inotify)
		}
		for _, descriptor := range []int{c.watcher.epoll, c.end[0], c.end[1]} {
			unix.Close(descriptor)
		}
	}
	s.carriers = nil
}
