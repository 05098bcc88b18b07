//go:build unix

package process

import (
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner/proctable"
)

// The processes of an attempt are the command, its process group, and strays: processes outside of that group. On a
// terminal the command stays in retry's own group, and everything it starts is a stray.

// signalAll sends a signal to all processes of the attempt, and continues those that are stopped, so that they receive
// it. asked reports whether they can end in their own time. On Unix they can, unless retry may signal none of them.
func (s *System) signalAll(p *process, by policy.Signal) (asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(p, syscall.Signal(by.Number))
	if by != kill {
		s.send(p, syscall.SIGCONT)
	}
	return !p.refused
}

// send sends a signal to all processes of the attempt, and records whether none of them may be signalled. The caller
// holds the mutex.
func (s *System) send(p *process, number syscall.Signal) {
	var targets []int
	if p.ownGroup {
		// The number can't be given to another group before retry has seen that this one is empty.
		targets = append(targets, -p.pid)
	} else if !p.exited {
		targets = append(targets, p.pid)
	}
	for _, stray := range s.strays(p) {
		targets = append(targets, stray.target())
	}
	refused, taken := false, false
	for _, target := range targets {
		switch syscall.Kill(target, number) {
		case nil:
			taken = true
		case syscall.EPERM:
			refused = refused || inhabited(target)
		}
	}
	if p.refused = refused && !taken; p.refused {
		return
	}
	switch {
	case number != syscall.SIGKILL:
	case os.Getpid() == 1 && !proctable.Usable():
		_ = syscall.Kill(-1, number) // everything in the container but process 1
	case len(p.bystanders) == 0:
		s.hunt()
	}
}

// hunt kills orphans as they appear. A process that forks and exits all the time is always one step ahead of the
// process table, but not of the list of orphans. The caller holds the mutex, and all children of retry belong to the attempt.
func (s *System) hunt() {
	const turns = 500
	session, _ := unix.Getsid(0)
	for range turns {
		orphans := proctable.Orphans()
		if len(orphans) == 0 {
			return
		}
		for _, pid := range orphans {
			entry := proctable.Entry{}
			entry.Session, _ = unix.Getsid(pid)
			entry.Group, _ = unix.Getpgid(pid)
			if syscall.Kill(newStray(pid, entry, session).target(), syscall.SIGKILL) == syscall.EPERM {
				return
			}
		}
		s.reapAll()
	}
}

// gone reports whether nothing of the attempt is running. A single read of the process table can't tell, because the
// table is not a snapshot: if a process forks and exits meanwhile, it and its child may both be missing. But retry
// inherits all orphans, so nothing is left once it has no children. If it has children that don't belong to the
// attempt, none of them may have ended during the read, because retry may then have inherited their children.
func (s *System) gone(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapAll()
	switch {
	case !p.exited, p.ownGroup && groupLives(p.pid):
		return false
	case len(p.bystanders) == 0 && proctable.HasChildren():
		return false
	}
	return len(s.strays(p)) == 0 && !s.reapAll()
}

// groupLives reports whether a group has any processes.
func groupLives(group int) bool {
	target := -group
	err := syscall.Kill(target, 0)
	return err == nil || err == syscall.EPERM && inhabited(target)
}

// survivor says which process of the attempt could not be ended, and what to do if that belongs to another user.
func (s *System) survivor(p *process) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := []int{p.pid}
	if strays := s.strays(p); p.exited && len(strays) > 0 {
		left[0] = strays[0].pid
	}
	for pid := range p.seen {
		left = append(left, pid)
	}
	for _, pid := range left {
		if info, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil && p.refused {
			switch owner := info.Sys().(*syscall.Stat_t).Uid; owner {
			case 0:
				return fmt.Sprintf(`process %d belongs to root, and this user can't end it; use "sudo retry ..."`, pid)
			case uint32(os.Geteuid()):
			default:
				return fmt.Sprintf("process %d belongs to user %d, and this user can't end it", pid, owner)
			}
		}
	}
	return fmt.Sprintf("process %d survived KILL for %v", left[0], survival)
}

// refused reports whether retry may not signal any process that is left of the attempt.
func (s *System) refused(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.refused
}

// A stray is a process of the attempt that a signal to the command or to its group doesn't reach.
type stray struct {
	pid   int
	group int // its group if only processes of the attempt can be in it, otherwise 0
}

// newStray returns the stray with this process ID. A session other than retry's own was created by a process of the
// attempt, and only processes of the attempt can be in it or in its groups.
func newStray(pid int, entry proctable.Entry, session int) stray {
	if entry.Session != 0 && entry.Session != session {
		return stray{pid, entry.Group}
	}
	return stray{pid, 0}
}

// target returns the argument of kill(2) for the stray. A signal to a group also reaches a child that is just being forked.
func (s stray) target() int {
	if s.group != 0 {
		return -s.group
	}
	return s.pid
}

// strays returns the processes of the attempt other than the command and those in the group that it leads.
//
// A process belongs to the attempt if it was found to belong to it before, or if it descends from the command. If it
// descends from an orphan that retry has inherited, it belongs to the attempt if nothing else can have left that
// orphan. If bystanders can have left it, or if retry doesn't inherit orphans, the attempt's token in the environment
// decides. In doubt, for example if a process has cleared its environment, it is spared.
func (s *System) strays(p *process) []stray {
	table, adopts := proctable.Read(), proctable.Adopts()
	session, _ := unix.Getsid(0)
	var found []stray
	for pid, entry := range table {
		started, seen := p.seen[pid]
		if !(seen && started == entry.Started) && !p.owns(pid, table, adopts) {
			continue
		}
		if p.seen == nil {
			p.seen = map[int]int64{}
		}
		p.seen[pid] = entry.Started
		if pid == p.pid || p.ownGroup && entry.Group == p.pid {
			continue
		}
		found = append(found, newStray(pid, entry, session))
	}
	return found
}

// owns reports whether a process belongs to the attempt. adopts says whether retry is known to inherit orphans.
func (p *process) owns(pid int, table map[int]proctable.Entry, adopts bool) bool {
	top := ancestor(pid, p.pid, table)
	switch started, spared := p.bystanders[top]; {
	case top == 0 && adopts, spared && started == table[top].Started:
		return false
	case top == p.pid, top != 0 && proctable.KnowsChildren && len(p.bystanders) == 0:
		return true
	}
	return proctable.HasToken(pid, p.token) || top != 0 && proctable.HasToken(top, p.token)
}

// ancestor returns the command if pid descends from it, or else the child of retry from which pid descends, or else 0.
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
