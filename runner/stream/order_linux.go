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

// await waits for the reports of masters that have been read but are not among the turns: inotify reports a write when it
// is over. It reports whether there is something new, be it a report, or more to read of a write that goes on. It doesn't
// wait for ever, because a report is lost if the queue overflows, and none comes of a terminal that can't be watched.
func (o *order) await(read, turns []int) bool {
	const patience = 100 // ms; on a busy machine a writer may lose its processor between the write and the report
	at := []unix.PollFd{{Fd: int32(o.inotify), Events: unix.POLLIN}}
	for _, master := range read {
		if !o.owed[master] && !slices.Contains(turns, master) {
			at = append(at, unix.PollFd{Fd: int32(master), Events: unix.POLLIN})
		}
	}
	if o.inotify == 0 || len(at) == 1 {
		return false
	}
	_, _ = unix.Poll(at, patience)
	if slices.ContainsFunc(at, func(f unix.PollFd) bool { return f.Revents&unix.POLLIN != 0 }) {
		return true
	}
	for _, f := range at[1:] {
		o.owed[int(f.Fd)] = true // when it comes, it can't be told from that of a later write
	}
	return false
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
