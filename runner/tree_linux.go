package runner

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

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

// strays are the processes of the attempt that can't be reached without this list: those but the command itself, or
// the group that it leads.
//
// A process is the attempt's if its line of parents leads to the command. If the line leads to retry by an orphan, it is
// the attempt's too where nothing else could have left one. Where bystanders could have, the attempt's token in the
// environment decides; in doubt, as for a process that has cleared its environment, it is spared.
func (s *System) strays(p *process) []int {
	table := processTable()
	var found []int
	for pid, entry := range table {
		if pid != p.pid && !(p.ownGroup && entry.group == p.pid) && p.owns(pid, table) {
			found = append(found, pid)
		}
	}
	return found
}

// owns reports whether a process is the attempt's.
func (p *process) owns(pid int, table map[int]processEntry) bool {
	top := ancestor(pid, p.pid, table)
	switch _, spared := p.bystanders[top]; {
	case top == 0 || spared:
		return false
	case top == p.pid || len(p.bystanders) == 0:
		return true
	}
	return hasToken(pid, p.token) || hasToken(top, p.token)
}

// ancestor is the command, or else the child of retry, from which pid descends, and 0 where there is neither.
func ancestor(pid, command int, table map[int]processEntry) int {
	self := os.Getpid()
	for range len(table) {
		entry, known := table[pid]
		switch {
		case !known:
			return 0
		case pid == command || entry.parent == self:
			return pid
		}
		pid = entry.parent
	}
	return 0
}

// hasToken looks for an entry in the environment that a process was given.
func hasToken(pid int, token string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+token+"\x00"))
}

// processEntry is what the process table says of one process.
type processEntry struct{ parent, group int }

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

// readStat reads /proc/PID/stat: "pid (name) state parent group …", where the name may hold anything.
func readStat(pid string) (entry processEntry, alive bool) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return entry, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return entry, false
	}
	entry.parent, _ = strconv.Atoi(string(fields[1]))
	entry.group, _ = strconv.Atoi(string(fields[2]))
	return entry, true
}
