package runner

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

func mourned(job *Job) { job.OnFailure, job.MaxAttempts = []string{"mourn"}, 2 }

// --on-failure runs once, when retry gives up, and changes nothing. If it fails, that is reported.
func TestOnFailure(t *testing.T) {
	broken := errors.New("no pipe")
	for _, test := range []struct {
		answer step
		fault  string // reported; empty for none
	}{
		{exits(0, 0), ""},
		{exits(3, 0), "exit status 3"},
		{step{outcome: policy.Outcome{End: policy.Killed, Signal: signalNamed("KILL")}}, "killed by SIGKILL"},
		{step{outcome: policy.Outcome{Status: 5}, err: broken}, "no pipe"},
	} {
		var events witness
		f := &fake{script: []step{exits(7, 0)}, answers: []step{test.answer}, start: time.Now()}
		job := testJob(func(job *Job) { mourned(job); job.Tempfail, job.Schedule = true, constantly(0) })
		result, err := Run(job, sleepless{f}, &events)
		if err != nil || result.Status != policy.StatusTempfail || result.Cause != AttemptsUsedUp {
			t.Errorf("got %+v, %v", result, err)
		}
		if len(f.questions) != 1 {
			t.Fatalf("it ran %d times", len(f.questions))
		}
		q := f.questions[0]
		if q.Status != 7 || q.Number != 2 || q.Output || q.Remaining != 0 || q.Reason != result.Reason || !slices.Equal(q.Command, []string{"mourn"}) {
			t.Errorf("it was told %+v", q)
		}
		var faults []string
		for _, e := range events {
			if e.Kind == OnFailureFailed {
				faults = append(faults, e.Fault.Error())
			}
		}
		if got := strings.Join(faults, ", "); got != test.fault {
			t.Errorf("%v: reported %q, want %q", test.answer.outcome, got, test.fault)
		}
	}
}

// A witness remembers all events.
type witness []Event

func (w *witness) Report(e Event) error {
	*w = append(*w, e)
	return nil
}

// --on-failure isn't run after a success, after a signal, or if the end can't be reported. A signal while it runs ends retry.
func TestOnFailureIsNotRunInVain(t *testing.T) {
	for name, test := range map[string]struct {
		before func(*fake)
		script step
	}{
		"success": {nil, exits(0, 0)},
		"signal":  {func(f *fake) { f.interruptAfter(time.Second, "TERM") }, exits(1, time.Minute)},
	} {
		if f, result := play(t, testJob(mourned), test.before, test.script); len(f.questions) != 0 {
			t.Errorf("%s: got %+v, ran %v", name, result, f.questions)
		}
	}
	_, result := play(t, testJob(mourned), func(f *fake) {
		f.answers = []step{exits(0, time.Second)}
		f.interruptAfter(1500*time.Millisecond, "TERM")
	}, exits(1, 0))
	if result.Signal.Name != "SIGTERM" || result.Cause != RunInterrupted {
		t.Errorf("interrupted while it ran: got %+v", result)
	}
	full := errors.New("disk full")
	f := &fake{script: []step{exits(1, 0)}, start: time.Now(), fails: map[string]error{"report 6": full}}
	if _, err := Run(testJob(func(job *Job) { mourned(job); job.Schedule = constantly(0) }), sleepless{f}, f); err != full || len(f.questions) != 0 {
		t.Errorf("got %v, ran %v after %q", err, f.questions, f.told)
	}
}

// --tempfail changes the status only where a later attempt might succeed.
func TestTempfail(t *testing.T) {
	patient := func(job *Job) { job.Tempfail = true }
	stops := rules(t, "5")
	for name, test := range map[string]struct {
		change func(*Job)
		script step
		status int
	}{
		"attempts":       {func(job *Job) { job.MaxAttempts = 1 }, exits(5, 0), policy.StatusTempfail},
		"deadline":       {func(job *Job) { job.Deadline = time.Second }, exits(5, time.Second), policy.StatusTempfail},
		"budget":         {sharing(&purse{}), exits(5, 0), policy.StatusTempfail},
		"server":         {func(job *Job) { job.HintMost = time.Hour }, asks(2 * time.Hour), policy.StatusTempfail},
		"not worthwhile": {func(job *Job) { job.Rules.StopIf = stops }, exits(5, 0), 5},
		"success":        {func(*Job) {}, exits(0, 0), 0},
	} {
		if _, result := play(t, testJob(func(job *Job) { patient(job); test.change(job) }), nil, test.script); result.Status != test.status {
			t.Errorf("%s: got %+v, want status %d", name, result, test.status)
		}
	}
}
