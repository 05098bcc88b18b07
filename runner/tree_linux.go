package runner

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// bystanders are the children that retry already has.
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

// strays are the processes that descend from retry through the attempt, whatever session they moved to, but for those
// that can be reached without this list: the command itself, or the group that it leads. What descends from a
// bystander is none.
func (s *System) strays(p *process) []int {
	table := processTable()
	var found []int
	for pid, entry := range table {
		if pid != p.pid && !(p.ownGroup && entry.group == p.pid) && p.descends(pid, table) {
			found = append(found, pid)
		}
	}
	return found
}

// descends reports whether the line of parents from pid leads to retry and not by a bystander.
func (p *process) descends(pid int, table map[int]processEntry) bool {
	self := os.Getpid()
	for range len(table) {
		entry, known := table[pid]
		if _, spared := p.bystanders[pid]; !known || spared {
			return false
		}
		if entry.parent == self {
			return true
		}
		pid = entry.parent
	}
	return false
}

// processEntry is what the process table says of one process.
type processEntry struct{ parent, group int }

// processTable reads the living processes.
func processTable() map[int]processEntry {
	table := map[int]processEntry{}
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
