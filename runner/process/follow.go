package process

import (
	"errors"
	"time"

	"retry/policy"
)

const (
	// survival is how long a process may outlive being killed, as in an uninterruptible system call, before retry gives
	// up on it.
	survival = 5 * time.Second
	// sweepTick is how often a sweep looks for processes whose end nothing else reports.
	sweepTick = 20 * time.Millisecond
	// refusedTick replaces sweepTick when none of these processes accepts retry's signals, and only waiting helps.
	refusedTick = 500 * time.Millisecond
	// idleGrace is the time for a SIGCONT to arrive: when retry continues after having been stopped, the SIGCONT and
	// the end of the idle timeout come at the same moment.
	idleGrace = 20 * time.Millisecond
	// starved is how late a check of the idle timeout may be. If it is later, retry itself can't have been running and
	// may have missed output.
	starved = 100 * time.Millisecond
)

// A follower follows one attempt to its end: until the command has exited and, if retry ended it, everything it started
// is gone too. It is the same on all systems; the differences are behind start, signalAll, gone and reap.
type follower struct {
	system  *System
	process *process
	task    task

	end      policy.End    // why retry ends the attempt; Exited if it doesn't
	idled    bool          // the idle timeout has expired, and a second check is due
	due      time.Duration // when the next check is due
	sweeping bool          // retry is ending everything that is left of the attempt
	failed   error         // the error of a stream that could not go on

	// What can happen besides an exit. A nil channel stands for never.
	limit    <-chan time.Time // the timeout or the deadline
	idle     <-chan time.Time // the earliest end of the idle timeout
	broken   <-chan error     // an error of a stream that can't go on
	outside  <-chan struct{}  // a signal to retry that starts the --kill-after timer
	tick     <-chan time.Time // time for another look at what is left
	kill     <-chan time.Time // the end of --kill-after
	survived <-chan time.Time // the end of survival
}

// newFollower returns a follower for a task that is about to start.
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
	return job.Timeout != 0 || f.task.Remaining != 0 || job.KillOnSignal || piped || !canBlock
}

// follow waits for the attempt to end and returns why it ended.
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

// watch starts the timers and sets the channels. release stops the timer of the limit.
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

// longest returns how long the attempt may take, 0 for no limit, and why it ends once that time is up.
func (f *follower) longest() (time.Duration, policy.End) {
	timeout, remaining := f.system.job.Timeout, f.task.Remaining
	if remaining != 0 && (timeout == 0 || remaining < timeout) {
		return max(remaining, 1), policy.DeadlinePassed
	}
	return timeout, policy.TimedOut
}

// next waits for one event and handles it. It returns an error if a process can't be killed.
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
			s.signalAll(f.process, kill) // for processes forked since
			f.slowDown()
		}
	case <-f.survived:
		return errors.New(s.survivor(f.process))
	}
	return nil
}

// lookIdle ends the attempt if it has printed nothing for too long. If retry itself was not running when the check was
// due, for example because it was stopped along with the command, the idle timeout starts again.
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

// lookIn schedules the next check of the idle timeout after d.
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

// over reports whether the attempt is over. If the command has exited after a signal to retry, or under --sweep, it
// starts to sweep what the command has left.
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

// sweep asks everything that belongs to the attempt to end, and kills it after --kill-after, or at once if it can't be asked.
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

// startKillTimer starts the --kill-after timer unless it is running or has expired.
func (f *follower) startKillTimer() {
	if f.kill == nil && f.survived == nil {
		f.kill = time.After(f.system.job.KillAfter)
	}
}

// killAll kills everything that belongs to the attempt. next repeats that until it is gone.
func (f *follower) killAll() {
	f.sweeping = true
	f.kill, f.survived = nil, time.After(survival)
	f.tick = time.Tick(sweepTick)
	f.system.signalAll(f.process, kill)
	f.slowDown()
}

// slowDown makes checks less frequent if retry may not signal the processes that are left.
func (f *follower) slowDown() {
	if f.system.refused(f.process) {
		f.tick = time.Tick(refusedTick)
	}
}
