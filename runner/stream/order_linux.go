package stream

import (
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An order finds out in which order the command wrote to its terminals. The masters don't show it, because the kernel
// passes data on to each of them separately, but inotify reports the writes to the slaves in order. It reports
// consecutive writes to the same terminal as one.
type order struct {
	inotify int           // 0 for none
	masters map[int32]int // by inotify watch
	owed    map[int]bool  // masters that were read before inotify reported the write
	buffer  [4096]byte
}

// open adds the inotify descriptor to those of a watcher. Without one, as when the user has too many, the order is unknown.
func (o *order) open(w *watcher) {
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return
	}
	o.inotify, o.masters, o.owed = descriptor, map[int32]int{}, map[int]bool{}
	w.add(descriptor)
}

// add starts to watch a terminal. It has no effect without /proc.
func (o *order) add(t *terminal) {
	if o.inotify == 0 {
		return
	}
	watch, err := unix.InotifyAddWatch(o.inotify, fmt.Sprintf("/proc/self/fd/%d", t.slave.Fd()), unix.IN_MODIFY)
	if err == nil {
		o.masters[int32(watch)] = t.master
	}
}

// turns returns the masters in the order in which their terminals were written to, each as often as it had a turn.
// Those in read have been read already; inotify may report what was written there a moment later, so turns waits for it
// briefly.
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
		if len(turns)+len(missing) > 1 { // with only one there is no order
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

// next appends the turns that have been reported since the last call.
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
