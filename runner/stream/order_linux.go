package stream

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An order tells in which order the command has written to its terminals. What it writes to two of them comes to their
// masters in an order of its own, since the kernel hands on each by itself; but inotify tells of the writes one by one.
// Writes to the same terminal in a row are told as one.
type order struct {
	inotify int // 0 for none
	masters map[int32]int
	buffer  [4096]byte
}

// open makes it one of a watcher's descriptors. Without /proc, or where the user has too many, there is no order.
func (o *order) open(w *watcher) {
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return
	}
	o.inotify, o.masters = descriptor, map[int32]int{}
	w.add(descriptor)
}

// add has it tell of a terminal too.
func (o *order) add(t *terminal) {
	if o.inotify == 0 {
		return
	}
	watch, err := unix.InotifyAddWatch(o.inotify, fmt.Sprintf("/proc/self/fd/%d", t.slave.Fd()), unix.IN_MODIFY)
	if err == nil {
		o.masters[int32(watch)] = t.master
	}
}

// sort puts the masters that were written to, as often as they took turns, in front of those that were found ready.
func (o *order) sort(found []int) []int {
	var turns []int
	for o.inotify != 0 {
		n, _ := unix.Read(o.inotify, o.buffer[:])
		if n <= 0 {
			break
		}
		for rest := o.buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			if event.Mask&unix.IN_IGNORED != 0 {
				delete(o.masters, event.Wd)
			} else if master, known := o.masters[event.Wd]; known {
				turns = append(turns, master)
			}
			rest = rest[unix.SizeofInotifyEvent+int(event.Len):]
		}
	}
	return append(turns, found...)
}
