package process

import (
	"fmt"
	"time"

	"retry/policy"
)

const (
	// survival is how long something may outlive its termination, in a driver for instance, before retry gives up on it.
	survival = 5 * time.Second
	// sweepTick is how often a sweep looks whether anything is left.
	sweepTick = 20 * time.Millisecond
)

// follower sees one attempt to its end: the exit of the command and, where retry ended it, of all it started.
type follower struct {
	system  *System
	process *process
	task    task

	end      policy.End // why retry ends the attempt; Exited as long as it doesn't
	sweeping bool       // what the attempt left has to go
	failed   error      // a stream that retry could not carry on

	// What may happen; nil is never.
	exited   <-chan struct{}
	limit    <-chan time.Time // the timeout or the deadline
	idle     <-chan time.Time // the idle timeout, as far as it is known
	broken   <-chan error     // a stream that retry can't carry on
	stopped  <-chan struct{}  // a signal to retry that starts the KILL clock
	tick     <-chan time.Time // another look at what is left
	kill     <-chan time.Time
	survived <-chan time.Time
}

// follow returns when the attempt is over.
func (f *follower) follow() (policy.End, error) {
	defer f.watch()()
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
	f.exited = f.process.exited
	if d, _ := f.longest(); d > 0 {
		f.limit, release = s.clock.after(d, f.task.Remaining != 0)
	}
	if s.job.KillOnSignal {
		f.stopped = s.stopped
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
	select {
	case <-f.exited:
		f.exited = nil
	case <-f.limit:
		_, end := f.longest()
		f.endBy(end)
	case <-f.idle:
		f.lookIdle()
	case err := <-f.broken:
		f.failed = err
		f.sweep()
	case <-f.stopped:
		f.stopped = nil
		f.startKillClock()
	case <-f.kill:
		f.terminate()
	case <-f.tick:
	case <-f.survived:
		return fmt.Errorf("something that process %d started survived its termination for %v", f.process.id, survival)
	}
	return nil
}

// lookIdle finds out how long nothing has been printed, and ends the attempt if that is too long.
func (f *follower) lookIdle() {
	left := f.system.streams.IdleLeft(f.system.clock.elapsed())
	if left > 0 {
		f.idle = time.After(left)
		return
	}
	f.endBy(policy.Idle)
}

// endBy ends an attempt whose time is up, if it has not ended just now.
func (f *follower) endBy(end policy.End) {
	f.limit, f.idle = nil, nil
	if f.process.ended() {
		return
	}
	f.end = end
	f.sweep()
}

// over reports whether the attempt is. The first time it finds the command gone after a signal, or where that is asked for
// always, it starts to sweep what the command left.
func (f *follower) over() bool {
	if !f.process.ended() {
		return false
	}
	if !f.sweeping && (f.system.job.Sweep || isClosed(f.system.stopped)) && !f.process.tree.empty() {
		f.sweep()
	}
	return !f.sweeping || f.process.tree.empty()
}

// sweep asks everything of the attempt to end, and makes it so after a while, or at once where it can't be asked.
func (f *follower) sweep() {
	f.sweeping = true
	f.tick = time.Tick(sweepTick)
	if f.system.job.Signal.Name == "SIGKILL" || f.system.ask(f.process.id) != nil {
		f.terminate()
		return
	}
	f.startKillClock()
}

func (f *follower) terminate() {
	f.sweeping = true
	f.tick = time.Tick(sweepTick)
	f.kill, f.survived = nil, time.After(survival)
	f.process.tree.terminate()
}
