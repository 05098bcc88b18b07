//go:build unix

package runner

import (
	"fmt"
	"syscall"
	"time"

	"retry/policy"
)

const (
	// survival is how long something may outlive KILL, in a system call that can't be interrupted for instance, before
	// retry gives up on it.
	survival = 5 * time.Second
	// sweepTick is how often a sweep looks again for what it is not told of.
	sweepTick = 20 * time.Millisecond
	// idleGrace is the time for a SIGCONT to be seen: retry that was stopped finds both it and an idle timeout.
	idleGrace = 20 * time.Millisecond
)

// follower sees one attempt to its end: the exit of the command and, where retry ended it, of all it started.
type follower struct {
	system  *System
	process *process
	attempt Attempt

	end      policy.End // why retry ends the attempt; Exited as long as it doesn't
	idled    bool       // it has been found idle, and looked at once more
	sweeping bool       // what the attempt left has to go
	broken   error      // a stream that retry could not carry on
	tick     <-chan time.Time
	kill     <-chan time.Time
	survived <-chan time.Time
}

// limited reports whether anything but the command's exit may end the attempt.
func (f *follower) limited() bool {
	job := f.system.job
	return job.Timeout > 0 || f.attempt.Remaining != 0 || job.KillOnSignal || f.system.streams.piped() || !canBlock
}

// follow returns when the attempt is over.
func (f *follower) follow() (policy.End, error) {
	s := f.system
	var limit <-chan time.Time
	var outside <-chan struct{}
	var idle <-chan time.Time
	if f.limited() {
		d, _ := f.limit()
		if d > 0 {
			var release func()
			limit, release = s.clock.after(d, f.attempt.Remaining != 0)
			defer release()
		}
		if s.job.KillOnSignal {
			outside = s.outside
		}
		if s.job.IdleTimeout > 0 {
			idle = time.After(s.job.IdleTimeout)
		}
	} else {
		for !f.process.exited {
			blockUntilExit()
			s.reap()
		}
	}
	for !f.over() {
		select {
		case <-s.children:
			s.reap()
		case <-limit:
			limit, idle = nil, nil
			_, end := f.limit()
			f.endBy(end)
		case <-idle:
			idle = nil
			switch left := s.streams.idleLeft(s.job, s.clock.elapsed()); {
			case left > 0:
				f.idled = false
				idle = time.After(left)
			case !f.idled:
				f.idled = true
				idle = time.After(idleGrace)
			default:
				limit = nil
				f.endBy(policy.Idle)
			}
		case err := <-s.streams.broken:
			if err = s.ownFailure(err); err != nil {
				f.broken = err
				f.sweep()
			}
		case <-outside:
			outside = nil
			f.startKillClock()
		case <-f.kill:
			f.kill = nil
			f.tick = time.Tick(sweepTick)
			f.survived = time.After(survival)
			s.signalAll(f.process, syscall.SIGKILL)
		case <-f.survived:
			return f.end, fmt.Errorf("process %d survived KILL for %v", s.survivor(f.process), survival)
		case <-f.tick:
			if f.survived != nil {
				s.signalAll(f.process, syscall.SIGKILL) // what was forked behind its back
			}
		}
	}
	return f.end, f.broken
}

// endBy ends an attempt whose time is up, if it has not ended just now.
func (f *follower) endBy(end policy.End) {
	if f.system.reap(); f.process.exited {
		return
	}
	f.end = end
	f.sweep()
}

// limit is the time this attempt may take, 0 for no limit, and what the attempt's end is called when it is up.
func (f *follower) limit() (time.Duration, policy.End) {
	timeout, remaining := f.system.job.Timeout, f.attempt.Remaining
	if remaining != 0 && (timeout == 0 || remaining < timeout) {
		return max(remaining, 1), policy.DeadlinePassed
	}
	return timeout, policy.TimedOut
}

// over reports whether the attempt is. The first time it finds the command gone after a signal from outside, or where
// that is asked for always, it starts to sweep what the command left.
func (f *follower) over() bool {
	if !f.process.exited {
		return false
	}
	if !f.sweeping && (f.system.job.Sweep || isClosed(f.system.outside)) {
		if f.system.gone(f.process) {
			return true
		}
		f.sweep()
	}
	return !f.sweeping || f.system.gone(f.process)
}

// sweep asks everything of the attempt to end, and makes it so after a while.
func (f *follower) sweep() {
	f.sweeping = true
	f.tick = time.Tick(sweepTick)
	f.system.watchChildren()
	f.system.signalAll(f.process, syscall.Signal(f.system.job.Signal.Number))
	f.system.signalAll(f.process, syscall.SIGCONT)
	f.startKillClock()
}

func (f *follower) startKillClock() {
	if f.kill == nil && f.survived == nil {
		f.kill = time.After(f.system.job.KillAfter)
	}
}

// signalAll sends a signal to all processes of the attempt.
func (s *System) signalAll(p *process, number syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.ownGroup {
		// The group's number stays taken, and this the right group, until everything in it has been seen to be gone.
		_ = syscall.Kill(-p.pid, number)
	} else if !p.exited {
		_ = syscall.Kill(p.pid, number)
	}
	for _, pid := range s.strays(p) {
		_ = syscall.Kill(pid, number)
	}
}

// gone reports whether nothing of the attempt runs.
func (s *System) gone(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.ownGroup && syscall.Kill(-p.pid, 0) != syscall.ESRCH {
		return false
	}
	return p.exited && len(s.strays(p)) == 0
}

// survivor is a process of the attempt that still runs.
func (s *System) survivor(p *process) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strays := s.strays(p); p.exited && len(strays) > 0 {
		return strays[0]
	}
	return p.pid
}
