package stream

import (
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An order tells in which order the command has written to its terminals. What it writes to two of them comes to their
// masters in an order of its own, since the kernel hands on each by itself; but inotify tells of the writes one by one.
// Writes to the same terminal in a row are told as one.
type order struct {
	inotify int // 0 for none
	masters map[int32]int
	owed    map[int]bool // masters that were read before the writer told of it
	buffer  [4096]byte
}

// open makes it one of a watcher's descriptors. Without /proc, or where the user has too many, there is no order.
func (o *order) open(w *watcher) {
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return
	}
	o.inotify, o.masters, o.owed = descriptor, map[int32]int{}, map[int]bool{}
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

// turns are the masters that were written to, as often as they took turns. What has been read of some of them is among
// that; the writer may not have come to tell of it yet.
func (o *order) turns(read []int) (turns []int) {
	if o.inotify == 0 {
		return nil
	}
	const patience = 1 // ms
	for turns = o.next(nil); ; {
		missing := slices.DeleteFunc(slices.Clone(read), func(master int) bool { return slices.Contains(turns, master) })
		if len(missing) == 0 {
			return turns
		}
		if len(turns)+len(missing) > 1 { // or there is no order to know
			at := []unix.PollFd{{Fd: int32(o.inotify), Events: unix.POLLIN}}
			if n, _ := unix.Poll(at, patience); n > 0 {
				turns = o.next(turns)
				continue
			}
		}
		for _, master := range missing {
			o.owed[master] = true
		}
		return turns
	}
}

// next adds the turns that have been told of since the last time.
func (o *order) next(turns []int) []int {
	for {
		n, _ := unix.Read(o.inotify, o.buffer[:])
		if n <= 0 {
			return turns
		}
		for rest := o.buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			if event.Mask&unix.IN_IGNORED != 0 {
				delete(o.masters, event.Wd)
			} else if master, known := o.masters[event.Wd]; known {
				if !o.owed[master] {
					turns = append(turns, master)
				}
				delete(o.owed, master)
			}
			rest = rest[unix.SizeofInotifyEvent+int(event.Len):]
		}
	}
}
