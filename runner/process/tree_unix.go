//go:build unix

package process

import (
	"os"

	"retry/runner/proctable"
)

// strays are the processes of the attempt that can't be reached without this list: those but the command itself, or
// the group that it leads.
//
// A process is the attempt's if it has been seen to be before, or if its line of parents leads to the command. If the
// line leads to retry by an orphan, it is the attempt's too where nothing else could have left one. Where bystanders
// could have, the attempt's token in the environment decides; in doubt, as for a process that has cleared its
// environment, it is spared.
func (s *System) strays(p *process) []int {
	table := proctable.Read()
	var found []int
	for pid, entry := range table {
		started, seen := p.seen[pid]
		if !(seen && started == entry.Started) && !p.owns(pid, table) {
			continue
		}
		if p.seen == nil {
			p.seen = map[int]int64{}
		}
		p.seen[pid] = entry.Started
		if pid != p.pid && !(p.ownGroup && entry.Group == p.pid) {
			found = append(found, pid)
		}
	}
	return found
}

// owns reports whether a process is the attempt's.
func (p *process) owns(pid int, table map[int]proctable.Entry) bool {
	top := ancestor(pid, p.pid, table)
	switch _, spared := p.bystanders[top]; {
	case top == 0 || spared:
		return false
	case top == p.pid || (proctable.Adopts && len(p.bystanders) == 0):
		return true
	}
	return proctable.Adopts && (proctable.HasToken(pid, p.token) || proctable.HasToken(top, p.token))
}

// ancestor is the command, or else the child of retry, from which pid descends, and 0 where there is neither.
func ancestor(pid, command int, table map[int]proctable.Entry) int {
	self := os.Getpid()
	for range len(table) {
		entry, known := table[pid]
		switch {
		case !known:
			return 0
		case pid == command || entry.Parent == self:
			return pid
		}
		pid = entry.Parent
	}
	return 0
}
