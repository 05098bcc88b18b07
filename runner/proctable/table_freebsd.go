//go:build !386 && !arm

package proctable

import (
	"bytes"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Known says that processes can be found that have left their group.
const Known = true

// Adopts says that the orphans of an attempt become retry's own children.
const Adopts = true

// Adopt makes orphans of the attempts retry's own children.
func Adopt() {
	const acquire = 2 // PROC_REAP_ACQUIRE
	_ = procctl(acquire, nil)
}

// descendant is struct procctl_reaper_pidinfo.
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

// descendants asks the kernel, which knows them of each process that has become a reaper. There are none of one that
// could not.
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

// procctl is procctl(P_PID, 0, …): of this process.
func procctl(command uintptr, data unsafe.Pointer) error {
	_, _, err := unix.Syscall6(unix.SYS_PROCCTL, 0, 0, command, uintptr(data), 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

// Bystanders are the children that retry already has: left by an earlier attempt.
func Bystanders() map[int]struct{} {
	var found map[int]struct{}
	for _, d := range descendants() {
		if d.flags&isChild != 0 {
			if found == nil {
				found = map[int]struct{}{}
			}
			found[int(d.pid)] = struct{}{}
		}
	}
	return found
}

// Read has the living processes that descend from retry. When each was started doesn't matter, since it has no others.
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
		table[int(d.pid)] = Entry{parent, group, 0}
	}
	return table
}

// HasToken looks for an entry in the environment that a process was given.
func HasToken(pid int, token string) bool {
	environ, err := unix.SysctlRaw("kern.proc.env", pid)
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+token+"\x00"))
}
