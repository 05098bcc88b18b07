package proctable

import (
	"bytes"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Known reports whether Read finds processes that have left their group.
const Known = true

// KnowsChildren reports whether Bystanders and HasChildren know the children of retry.
const KnowsChildren = true

// Adopts reports whether the orphans of an attempt become retry's own children. It asks the system, because one that
// only pretends to be Linux may accept the call in Adopt without effect, or reject it, as gVisor did until 2023.
func Adopts() bool {
	var set int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&set)), 0, 0, 0)
	return err == nil && set != 0 || os.Getpid() == 1
}

// Adopt makes retry a subreaper, so that orphans among its descendants become its children. On an old kernel, which has
// no subreapers, they go to PID 1.
func Adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// Bystanders returns the children that retry has before an attempt, with their start times. They are from before retry
// was executed, or an earlier attempt has left them.
func Bystanders() map[int]int64 {
	if !HasChildren() {
		return nil
	}
	found := map[int]int64{}
	for pid, entry := range Read() {
		if entry.Parent == os.Getpid() {
			found[pid] = entry.Started
		}
	}
	return found
}

// HasChildren reports whether retry has any children, including any that have ended and have not been reaped yet.
func HasChildren() bool {
	return unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil) != unix.ECHILD
}

// Orphans returns the children of retry's first thread, which is the one that inherits orphans. This is much faster
// than Read. It returns none on a kernel without that list.
func Orphans() []int {
	self := strconv.Itoa(os.Getpid())
	text, err := os.ReadFile("/proc/" + self + "/task/" + self + "/children")
	if err != nil {
		return nil
	}
	var found []int
	for _, field := range bytes.Fields(text) {
		if pid, err := strconv.Atoi(string(field)); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// Usable reports whether /proc is that of retry's own PID namespace. In another one, the numbers stand for other
// processes.
func Usable() bool {
	self, err := os.Readlink("/proc/self")
	return err == nil && self == strconv.Itoa(os.Getpid())
}

// Read returns all living processes, or none if /proc isn't usable.
func Read() map[int]Entry {
	table := map[int]Entry{}
	if !Usable() {
		return table
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return table
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if entry, alive := readStat(name); alive {
			table[pid] = entry
		}
	}
	return table
}

// readStat parses /proc/PID/stat, which is "pid (name) state parent group …" with the start time further on. The name
// can contain anything, parentheses included.
func readStat(pid string) (entry Entry, alive bool) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return entry, false
	}
	return parseStat(stat)
}

// parseStat parses "pid (name) state parent group …", where the name can contain anything, with the start time further on.
func parseStat(stat []byte) (entry Entry, alive bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const threads, startTime = 17, 19 // fields after the name
	if len(fields) <= startTime || fields[0][0] == 'X' {
		return entry, false
	}
	// A process is also Z when only its first thread has ended. It lives on while it has other threads.
	if fields[0][0] == 'Z' && string(fields[threads]) == "1" {
		return entry, false
	}
	entry.Parent, _ = strconv.Atoi(string(fields[1]))
	entry.Group, _ = strconv.Atoi(string(fields[2]))
	entry.Session, _ = strconv.Atoi(string(fields[3]))
	entry.Started, _ = strconv.ParseInt(string(fields[startTime]), 10, 64)
	return entry, true
}

// HasToken reports whether the environment that a process was started with contains an entry.
func HasToken(pid int, token string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+token+"\x00"))
}
