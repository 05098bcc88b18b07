package process

import (
	"math"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/stream"
)

// TestLongest limits an attempt by the timeout and the deadline. If both end it at the same time, the timeout is the
// reason.
func TestLongest(t *testing.T) {
	for _, test := range []struct {
		timeout, remaining, want time.Duration
		end                      policy.End
	}{
		{0, 0, 0, policy.TimedOut},
		{5, 0, 5, policy.TimedOut},
		{0, 7, 7, policy.DeadlinePassed},
		{5, 7, 5, policy.TimedOut},
		{7, 5, 5, policy.DeadlinePassed},
		{5, 5, 5, policy.TimedOut},
		{5, -2, 1, policy.DeadlinePassed},
	} {
		f := follower{system: &System{job: &runner.Job{Timeout: test.timeout}}}
		f.task.Remaining = test.remaining
		if got, end := f.longest(); got != test.want || end != test.end {
			t.Errorf("timeout %d, deadline in %d: %d, %v", test.timeout, test.remaining, got, end)
		}
	}
}

// TestLimited checks that an attempt without any limit is waited for by the cheapest system call.
func TestLimited(t *testing.T) {
	replay := &runner.Job{Stdin: runner.Replay}
	for name, test := range map[string]struct {
		job       *runner.Job
		remaining time.Duration
		streams   *stream.Streams
		want      bool
	}{
		"nothing":         {job: &runner.Job{}, want: !canBlock},
		"own streams":     {job: &runner.Job{}, streams: stream.New(&runner.Job{}), want: !canBlock},
		"timeout":         {job: &runner.Job{Timeout: math.MaxInt64}, want: true},
		"deadline":        {job: &runner.Job{}, remaining: -1, want: true},
		"kill on signal":  {job: &runner.Job{KillOnSignal: true}, want: true},
		"relayed streams": {job: replay, streams: stream.New(replay), want: true},
	} {
		f := follower{system: &System{job: test.job}}
		f.task.Remaining, f.task.streams = test.remaining, test.streams
		if f.limited() != test.want {
			t.Errorf("%s: limited is %t", name, !test.want)
		}
	}
}

// TestKillTimerStartsOnce starts the timer for the first reason only, and never after KILL.
func TestKillTimerStartsOnce(t *testing.T) {
	running := make(<-chan time.Time)
	system := &System{job: &runner.Job{KillAfter: time.Hour}}
	f := follower{system: system}
	if f.startKillTimer(); f.kill == nil {
		t.Error("it was not started")
	}
	f = follower{system: system, kill: running}
	if f.startKillTimer(); f.kill != running {
		t.Error("it was started again")
	}
	f = follower{system: system, survived: running}
	if f.startKillTimer(); f.kill != nil {
		t.Error("it was started after KILL")
	}
}
