package process

import (
	"errors"
	"time"

	"retry/policy"
)

const (
	// survival is how long a process may outlive its killing, in an uninterruptible system call for example, before
	// retry gives up on it.
	survival = 5 * time.Second
	// sweepTick is how often a sweep looks for processes that nothing else tells it about.
	sweepTick = 20 * time.Millisecond
	// refusedTick is the same where none of them takes a signal of retry's, and only waiting helps.
	refusedTick = 500 * time.Millisecond
	// idleGrace is the time for a SIGCONT to arrive: after being stopped, retry finds the SIGCONT and an expired idle
	// timeout at the same moment.
	idleGrace = 20 * time.Millisecond
	// starved is how late a look at an expired idle timeout may come. After that retry itself can't have run, and may
	// not have seen what was printed.
	starved = 100 * time.Millisecond
)

// A follower follows one attempt to its end: until the command has exited and, if retry ended it, until everything it
// started is gone too. It is the same on all systems. What a system does differently is behind start, signalAll, gone
// and reap.
type follower struct {
	system  *System
	process *process
	task    task

	end      policy.End    // why retry ends the attempt; Exited as long as it doesn't
	idled    bool          // the idle timeout has expired, and a second look is due
	due      time.Duration // when that, or the first one, has to come
	sweeping bool          // what is left of the attempt has to go
	failed   error         // a stream that retry could not carry on

	// What can happen besides an exit; a nil channel stands for never.
	limit    <-chan time.Time // the timeout or the deadline
	idle     <-chan time.Time // the earliest end of the idle timeout
	broken   <-chan error     // a stream that retry can't carry on
	outside  <-chan struct{}  // a signal to retry that starts the --kill-after timer
	tick     <-chan time.Time // another look at what is left
	kill     <-chan time.Time // the end of --kill-after
	survived <-chan time.Time // the end of survival
}

// newFollower prepares to follow a task that is about to start.
func (s *System) newFollower(t task) *follower {
	f := &follower{system: s, task: t}
	if f.limited() {
		s.watchChildren()
	}
	return f
}

// limited reports whether anything but the command's exit can end the attempt.
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

// watch starts the timers and opens the channels. release stops the timer of the limit.
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
			f.lookIn(s.job.IdleTimeout)
		}
	}
	return release
}

// longest returns how long this attempt may take, 0 for no limit, and what its end is called once that time is up.
func (f *follower) longest() (time.Duration, policy.End) {
	timeout, remaining := f.system.job.Timeout, f.task.Remaining
	if remaining != 0 && (timeout == 0 || remaining < timeout) {
		return max(remaining, 1), policy.DeadlinePassed
	}
	return timeout, policy.TimedOut
}

// next waits for one thing to happen and responds to it. It returns an error for a process that can't be killed.
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
		f.startKillTimer()
	case <-f.kill:
		f.killAll()
	case <-f.tick:
		if f.survived != nil {
			s.signalAll(f.process, kill) // processes that were forked meanwhile
			f.slowDown()
		}
	case <-f.survived:
		return errors.New(s.survivor(f.process))
	}
	return nil
}

// lookIdle ends the attempt if nothing has been printed for too long. If retry itself did not run when it was due to
// look, stopped with the command for example, the attempt has its time again.
func (f *follower) lookIdle() {
	s := f.system
	now := s.clock.elapsed()
	if now-f.due > starved {
		s.streams.Printed(now)
	}
	switch left := s.streams.IdleLeft(now); {
	case left > 0:
		f.idled = false
		f.lookIn(left)
	case !f.idled:
		f.idled = true
		f.lookIn(idleGrace)
	default:
		f.endBy(policy.Idle)
	}
}

// lookIn has the next look at the idle timeout come after d.
func (f *follower) lookIn(d time.Duration) {
	f.idle, f.due = time.After(d), f.system.clock.elapsed()+d
}

// endBy ends an attempt whose time is up, unless it has just ended by itself.
func (f *follower) endBy(end policy.End) {
	f.limit, f.idle = nil, nil
	if f.system.reap(); f.process.exited {
		return
	}
	f.end = end
	f.sweep()
}

// over reports whether the attempt is over. When the command has exited after a signal to retry, or under --sweep, over
// first starts to sweep what the command left.
func (f *follower) over() bool {
	if !f.process.exited {
		return false
	}
	if !f.sweeping && (f.system.job.Sweep || isClosed(f.system.stopped)) {
		if f.system.gone(f.process) {
			return true
		}
		f.sweep()
	}
	return !f.sweeping || f.system.gone(f.process)
}

// sweep asks everything that belongs to the attempt to end, and kills it after --kill-after, or at once if it can't be
// asked.
func (f *follower) sweep() {
	f.sweeping = true
	f.tick = time.Tick(sweepTick)
	f.system.watchChildren()
	if f.system.signalAll(f.process, f.system.job.Signal) {
		f.startKillTimer()
	} else {
		f.killAll()
	}
}

// startKillTimer starts the --kill-after timer, unless it runs or has expired.
func (f *follower) startKillTimer() {
	if f.kill == nil && f.survived == nil {
		f.kill = time.After(f.system.job.KillAfter)
	}
}

// killAll kills everything that belongs to the attempt, and keeps doing so until it is gone.
func (f *follower) killAll() {
	f.sweeping = true
	f.kill, f.survived = nil, time.After(survival)
	f.tick = time.Tick(sweepTick)
	f.system.signalAll(f.process, kill)
	f.slowDown()
}

// slowDown looks less often at processes that retry may not end.
func (f *follower) slowDown() {
	if f.system.refused(f.process) {
		f.tick = time.Tick(refusedTick)
	}
}
