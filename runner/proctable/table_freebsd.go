//go:build !386 && !arm

package proctable

import (
	"bytes"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Known reports whether Read finds processes that have left their group.
const Known = true

// KnowsChildren reports whether Bystanders and Read know the children of retry.
const KnowsChildren = true

// Adopts returns true: the orphans of an attempt become retry's own children.
func Adopts() bool { return true }

// Adopt makes retry the reaper of its descendants, so that orphans among them become its children.
func Adopt() {
	const acquire = 2 // PROC_REAP_ACQUIRE
	_ = procctl(acquire, nil)
}

// descendant is the kernel's struct procctl_reaper_pidinfo.
type descendant struct {
	pid, top int32 // top is the child of retry from which it descends
	flags    uint32
	_        [15]uint32
}

// The flags of a descendant.
const (
	isValid  = 1
	isChild  = 2
	isZombie = 8
)

// descendants returns all descendants of retry. It returns none if retry could not become their reaper.
func descendants() []descendant {
	const getPIDs = 5 // PROC_REAP_GETPIDS
	for size := 64; ; size *= 2 {
		found := make([]descendant, size)
		request := struct { // struct procctl_reaper_pids
			count uint32
			_     [15]uint32
			pids  *descendant
		}{count: uint32(size), pids: &found[0]}
		if procctl(getPIDs, unsafe.Pointer(&request)) != nil {
			return nil
		}
		for i, d := range found {
			if d.flags&isValid == 0 {
				return found[:i]
			}
		}
	}
}

// procctl calls procctl(2) for this process.
func procctl(command uintptr, data unsafe.Pointer) error {
	_, _, err := unix.Syscall6(unix.SYS_PROCCTL, 0, 0, command, uintptr(data), 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

// Bystanders returns the children that retry has before an attempt, which an earlier attempt has left. Their start
// times are unknown and given as 0.
func Bystanders() map[int]int64 {
	var found map[int]int64
	for _, d := range descendants() {
		if d.flags&isChild != 0 {
			if found == nil {
				found = map[int]int64{}
			}
			found[int(d.pid)] = 0
		}
	}
	return found
}

// Usable returns true.
func Usable() bool { return true }

// HasChildren returns false: Read already returns a snapshot of all descendants.
func HasChildren() bool { return false }

// Orphans returns nil, for the same reason.
func Orphans() []int { return nil }

// Read returns the living descendants of retry. They have no start times, which don't matter because the table contains
// nothing else.
func Read() map[int]Entry {
	table := map[int]Entry{}
	for _, d := range descendants() {
		if d.flags&isZombie != 0 {
			continue
		}
		parent := int(d.top)
		if d.flags&isChild != 0 {
			parent = os.Getpid()
		}
		group, _ := unix.Getpgid(int(d.pid))
		table[int(d.pid)] = Entry{Parent: parent, Group: group}
	}
	return table
}

// HasToken reports whether the environment that a process was started with contains an entry.
func HasToken(pid int, token string) bool {
	environ, err := unix.SysctlRaw("kern.proc.env", pid)
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+token+"\x00"))
}
