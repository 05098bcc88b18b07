//go:build unix

package process

import (
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"retry/policy"
)

// TestOutcome combines wait statuses with the reasons for an end.
func TestOutcome(t *testing.T) {
	const killed = 9 // by SIGKILL, and no core
	for _, test := range []struct {
		status syscall.WaitStatus
		end    policy.End
		want   policy.Outcome
	}{
		{3 << 8, policy.Exited, policy.Outcome{End: policy.Exited, Status: 3}},
		{killed, policy.Exited, policy.Outcome{End: policy.Killed, Status: 137, Signal: kill}},
		{killed, policy.TimedOut, policy.Outcome{End: policy.TimedOut, Status: 124, Signal: kill}},
		{0, policy.Idle, policy.Outcome{End: policy.Idle, Status: 124}},
	} {
		got := newSystem().outcome(&process{status: test.status}, test.end)
		if got.End != test.want.End || got.Status != test.want.Status || got.Signal != test.want.Signal {
			t.Errorf("%#x, %v: %+v, want %+v", test.status, test.end, got, test.want)
		}
	}
}

// TestTerminalIsSilent checks that retry doesn't wait for a signal that the terminal has not sent.
func TestTerminalIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSystem()
		s.terminal = terminal{0}
		began := time.Now()
		if s.awaitTerminal(); time.Since(began) != 0 {
			t.Errorf("it waited for %v", time.Since(began))
		}
	})
}
