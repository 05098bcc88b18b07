package runner

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// hasTable says that processes can be found that have left their group.
const hasTable = true

// adopts says that the orphans of an attempt become retry's own children.
const adopts = true

// bystanders are the children that retry already has: from before it was executed, or left by an earlier attempt.
func bystanders() map[int]struct{} {
	err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	if err == unix.ECHILD {
		return nil
	}
	found := map[int]struct{}{}
	for pid, entry := range processTable() {
		if entry.parent == os.Getpid() {
			found[pid] = struct{}{}
		}
	}
	return found
}

// processTable reads the living processes. It is empty where /proc is that of another PID namespace, whose numbers are
// other processes here.
func processTable() map[int]processEntry {
	table := map[int]processEntry{}
	if self, err := os.Readlink("/proc/self"); err != nil || self != strconv.Itoa(os.Getpid()) {
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

// readStat reads /proc/PID/stat: "pid (name) state parent group …", where the name may hold anything, and the
// time of the start further on.
func readStat(pid string) (entry processEntry, alive bool) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return entry, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const startTime = 19 // fields after the name
	if len(fields) <= startTime || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return entry, false
	}
	entry.parent, _ = strconv.Atoi(string(fields[1]))
	entry.group, _ = strconv.Atoi(string(fields[2]))
	entry.started, _ = strconv.ParseInt(string(fields[startTime]), 10, 64)
	return entry, true
}

// hasToken looks for an entry in the environment that a process was given.
func hasToken(pid int, token string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+token+"\x00"))
}
