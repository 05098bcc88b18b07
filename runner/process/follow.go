package process

import (
	"time"

	"retry/policy"
)

// longest is the time this attempt may take, 0 for no limit, and what the attempt's end is called when it is up.
func (f *follower) longest() (time.Duration, policy.End) {
	timeout, remaining := f.system.job.Timeout, f.task.Remaining
	if remaining != 0 && (timeout == 0 || remaining < timeout) {
		return max(remaining, 1), policy.DeadlinePassed
	}
	return timeout, policy.TimedOut
}

// startKillClock gives what was asked to end its time.
func (f *follower) startKillClock() {
	if f.kill == nil && f.survived == nil {
		f.kill = time.After(f.system.job.KillAfter)
	}
}
