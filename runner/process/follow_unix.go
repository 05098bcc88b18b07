//go:build unix

package process

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
	task    task

	end      policy.End // why retry ends the attempt; Exited as long as it doesn't
	idled    bool       // it has been found idle, and looked at once more
	sweeping bool       // what the attempt left has to go
	failed   error      // a stream that retry could not carry on

	// What may happen beside the command's exit; nil is never.
	limit    <-chan time.Time // the timeout or the deadline
	idle     <-chan time.Time // the idle timeout, as far as it is known
	broken   <-chan error     // a stream that retry can't carry on
	outside  <-chan struct{}  // a signal to retry that starts the KILL clock
	tick     <-chan time.Time // another look at what is left
	kill     <-chan time.Time
	survived <-chan time.Time
}

// limited reports whether anything but the command's exit may end the attempt.
func (f *follower) limited() bool {
	job := f.system.job
	piped := f.task.streams != nil && f.task.streams.Piped()
	return job.Timeout > 0 || f.task.Remaining != 0 || job.KillOnSignal || piped || !canBlock
}

// follow returns when the attempt is over.
func (f *follower) follow() (policy.End, error) {
	if f.limited() {
		defer f.watch()()
	} else {
		for !f.process.exited {
			blockUntilExit()
			f.system.reap()
		}
	}
	for !f.over() {
		if err := f.next(); err != nil {
			return f.end, err
		}
	}
	return f.end, f.failed
}

// watch starts what may end the attempt. release frees it.
func (f *follower) watch() (release func()) {
	s, release := f.system, func() {}
	if d, _ := f.longest(); d > 0 {
		f.limit, release = s.clock.after(d, f.task.Remaining != 0)
	}
	if s.job.KillOnSignal {
		f.outside = s.outside
	}
	if f.task.streams != nil {
		f.broken = f.task.streams.Broken
		if s.job.IdleTimeout > 0 {
			f.idle = time.After(s.job.IdleTimeout)
		}
	}
	return release
}

// next waits for one thing to happen and does what it asks for. An error is a process that can't be ended.
func (f *follower) next() error {
	s := f.system
	select {
	case <-s.children:
		s.reap()
	case <-f.limit:
		_, end := f.longest()
		f.endBy(end)
	case <-f.idle:
		f.lookIdle()
	case err := <-f.broken:
		if err = s.ownFailure(err); err != nil {
			f.failed = err
			f.sweep()
		}
	case <-f.outside:
		f.outside = nil
		f.startKillClock()
	case <-f.kill:
		f.kill, f.survived = nil, time.After(survival)
		f.tick = time.Tick(sweepTick)
		s.signalAll(f.process, syscall.SIGKILL)
	case <-f.tick:
		if f.survived != nil {
			s.signalAll(f.process, syscall.SIGKILL) // what was forked behind its back
		}
	case <-f.survived:
		return fmt.Errorf("process %d survived KILL for %v", s.survivor(f.process), survival)
	}
	return nil
}

// lookIdle finds out how long nothing has been printed, and ends the attempt if that is too long.
func (f *follower) lookIdle() {
	left := f.system.streams.IdleLeft(f.system.clock.elapsed())
	switch {
	case left > 0:
		f.idled, f.idle = false, time.After(left)
	case !f.idled:
		f.idled, f.idle = true, time.After(idleGrace)
	default:
		f.endBy(policy.Idle)
	}
}

// endBy ends an attempt whose time is up, if it has not ended just now.
func (f *follower) endBy(end policy.End) {
	f.limit, f.idle = nil, nil
	if f.system.reap(); f.process.exited {
		return
	}
	f.end = end
	f.sweep()
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
