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
	owed    map[int]bool  // masters that were read, but inotify didn't report the write
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

// covers appends the turns that have been reported since the last call to those already known. inotify reports a write
// when it is over, so that the reports of some masters that have been read may be yet to come. covers waits for them, but
// not for long, because they could not be told from those of later writes.
func (o *order) covers(read, turns []int) []int {
	const patience = 5 // ms; on a busy machine a writer may lose its processor between the write and the report
	read = slices.DeleteFunc(slices.Clone(read), func(master int) bool { return o.owed[master] })
	for turns = o.next(turns); o.inotify != 0; turns = o.next(turns) {
		missing := slices.DeleteFunc(slices.Clone(read), func(master int) bool { return slices.Contains(turns, master) })
		if len(missing) == 0 {
			break
		}
		at := []unix.PollFd{{Fd: int32(o.inotify), Events: unix.POLLIN}}
		if n, _ := unix.Poll(at, patience); n <= 0 {
			for _, master := range missing {
				o.owed[master] = true
			}
			break
		}
	}
	return turns
}

// next appends the turns that have been reported since the last call. Of those that follow each other it appends one, as
// inotify itself does.
func (o *order) next(turns []int) []int {
	for o.inotify != 0 {
		n, _ := unix.Read(o.inotify, o.buffer[:])
		if n <= 0 {
			return turns
		}
		for rest := o.buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			if event.Mask&unix.IN_IGNORED != 0 {
				delete(o.masters, event.Wd)
			} else if master, known := o.masters[event.Wd]; known {
				if !o.owed[master] && (len(turns) == 0 || turns[len(turns)-1] != master) {
					turns = append(turns, master)
				}
				delete(o.owed, master)
			}
			rest = rest[unix.SizeofInotifyEvent+int(event.Len):]
		}
	}
	return turns
}
