package report

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
)

// testJob returns a job of up to ten attempts, modified by change.
func testJob(change func(*runner.Job)) *runner.Job {
	job := &runner.Job{Name: "cmd", MaxAttempts: 10, Consecutive: 1}
	if change != nil {
		change(job)
	}
	return job
}

func rules(t *testing.T, texts ...string) (list []policy.Rule) {
	t.Helper()
	for _, text := range texts {
		rule, err := policy.ParseRule(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rule)
	}
	return list
}

// writes records each Write.
type writes struct {
	got []string
	err error
}

func (w *writes) Write(p []byte) (int, error) {
	w.got = append(w.got, string(p))
	return len(p), w.err
}

func TestText(t *testing.T) {
	limited := testJob(func(j *runner.Job) { j.Name, j.Consecutive = "curl", 3 })
	unlimited := testJob(func(j *runner.Job) { j.Name, j.MaxAttempts = "100% %s", 0 })
	judge := func(r policy.Rules, o policy.Outcome) policy.Verdict { return r.Judge(o) }
	took := func(status int, d time.Duration) policy.Outcome { return policy.Outcome{Status: status, Duration: d} }
	failed := judge(policy.Rules{}, took(22, 131*time.Millisecond))
	succeeded := judge(policy.Rules{}, took(0, 40*time.Millisecond))
	stopped := judge(policy.Rules{StopIf: rules(t, "2-4")}, took(2, time.Second))
	named := judge(policy.Rules{RetryIf: rules(t, "75")}, took(75, 90*time.Second))
	unnamed := judge(policy.Rules{RetryIf: rules(t, "75")}, took(1, 0))
	accepted := judge(policy.Rules{SuccessIf: rules(t, "3")}, took(3, 0))
	timedOut := judge(policy.Rules{}, policy.Outcome{End: policy.TimedOut, Status: 124, Duration: 30 * time.Second})
	idle := judge(policy.Rules{}, policy.Outcome{End: policy.Idle, Status: 124, Duration: 30 * time.Second})
	missed := judge(policy.Rules{SuccessIf: rules(t, "output:ready")}, took(0, time.Second))
	crashed := judge(policy.Rules{}, policy.Outcome{
		End: policy.Killed, Signal: policy.Signal{Number: 11, Name: "SIGSEGV"}, Status: policy.StatusSignalOffset + 11,
	})
	const never = Detailed + 1

	tests := []struct {
		name  string
		job   *runner.Job
		event runner.Event
		least Verbosity // at which the line appears
		want  string
	}{
		{"run", limited, runner.Event{Kind: runner.RunStarted}, never, ""},
		{"start", limited, runner.Event{Kind: runner.AttemptStarted, Attempt: 1}, Detailed, "retry: curl: attempt 1/10 starts\n"},
		{"start without a limit", unlimited, runner.Event{Kind: runner.AttemptStarted, Attempt: 12}, Detailed,
			"retry: 100% %s: attempt 12 starts\n"},

		{"judged", limited, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: failed}, Detailed,
			"retry: curl: attempt 1/10: exit status 22: retry (no rule matched)\n"},
		{"judged a success", limited, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: accepted, Streak: 1}, Detailed,
			"retry: curl: attempt 1/10: exit status 3: success (--success-if code:3)\n"},
		{"judged permanent", limited, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: stopped}, Detailed,
			"retry: curl: attempt 1/10: exit status 2: stop (--stop-if code:2-4)\n"},
		{"judged by no rule", limited, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: unnamed}, Detailed,
			"retry: curl: attempt 1/10: exit status 1: stop (no rule matched)\n"},
		{"judged a crash", limited, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: crashed}, Detailed,
			"retry: curl: attempt 1/10: killed by SIGSEGV: retry (no rule matched)\n"},

		{"sleep", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: failed, Sleep: 1734 * time.Millisecond},
			Normal, "retry: curl: attempt 2/10 failed: exit status 22 after 131ms; sleeping 1.734s\n"},
		{"sleep under a deadline", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: failed, Sleep: time.Second, Left: 4 * time.Minute},
			Normal, "retry: curl: attempt 2/10 failed: exit status 22 after 131ms; sleeping 1s, 4m left\n"},
		{"sleep without a limit", unlimited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: timedOut, Sleep: time.Hour},
			Normal, "retry: 100% %s: attempt 2 failed: timed out after 30s; sleeping 1h\n"},
		{"sleep after a rule matched", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: named, Sleep: 0}, Normal,
			"retry: curl: attempt 2/10 failed: exit status 75 after 1m30s; sleeping 0s\n"},
		{"sleep after no output", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: idle, Sleep: time.Second},
			Normal, "retry: curl: attempt 2/10 failed: timed out without output after 30s; sleeping 1s\n"},
		{"sleep after a missing pattern", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: missed, Sleep: time.Second}, Normal,
			"retry: curl: attempt 2/10 failed: exit status 0 without a match of --success-if output:ready after 1s; " +
				"sleeping 1s\n"},
		{"sleep in a streak", limited,
			runner.Event{Kind: runner.SleepPlanned, Attempt: 4, Verdict: succeeded, Streak: 2, Sleep: time.Second},
			Normal, "retry: curl: attempt 4/10 succeeded: 2 of 3 in a row after 40ms; sleeping 1s\n"},
		{"stagger", limited,
			runner.Event{Kind: runner.SleepPlanned, Sleep: 2500 * time.Millisecond},
			Normal, "retry: curl: staggered start; sleeping 2.5s\n"},
		{"stagger under a deadline", limited,
			runner.Event{Kind: runner.SleepPlanned, Sleep: time.Second, Left: time.Minute},
			Normal, "retry: curl: staggered start; sleeping 1s, 1m left\n"},

		{"failure", limited,
			runner.Event{Kind: runner.RunEnded, Attempt: 10, Result: runner.Result{Reason: "giving up after 10 attempts in 2m3s"}},
			Quiet, "retry: curl: giving up after 10 attempts in 2m3s\n"},
		{"success after retries", limited,
			runner.Event{Kind: runner.RunEnded, Attempt: 3, Result: runner.Result{Success: true, Elapsed: 4200 * time.Millisecond}},
			Normal, "retry: curl: succeeded on attempt 3 after 4.2s\n"},
		{"success at once", limited, runner.Event{Kind: runner.RunEnded, Attempt: 1, Result: runner.Result{Success: true}}, never, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for verbosity := Silent; verbosity <= Detailed; verbosity++ {
				var out writes
				text := &Text{Writer: &out, Job: test.job, Verbosity: verbosity}
				if err := text.Report(test.event); err != nil {
					t.Error(err)
				}
				switch {
				case verbosity < test.least && len(out.got) > 0:
					t.Errorf("at verbosity %d: told %q", verbosity, out.got)
				case verbosity >= test.least && (len(out.got) != 1 || out.got[0] != test.want):
					t.Errorf("at verbosity %d: got %q\nwant one write of %q", verbosity, out.got, test.want)
				}
			}
		})
	}
}

// told returns what Text writes about the events at full verbosity.
func told(t *testing.T, job *runner.Job, events ...runner.Event) string {
	t.Helper()
	var out writes
	text := &Text{Writer: &out, Job: job, Verbosity: Detailed}
	for _, e := range events {
		if err := text.Report(e); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(out.got, "")
}

// The line of a verdict that no rule explains says what retry did not understand.
func TestTextReportsWhatWasNotUnderstood(t *testing.T) {
	diagnosis := &policy.Diagnosis{Ignored: errors.New("it is 3h")}
	for _, test := range []struct {
		rules   policy.Rules
		outcome policy.Outcome
		want    string
	}{
		{policy.Rules{}, policy.Outcome{Status: 7}, ": exit status 7: retry (no rule matched)\n"},
		{policy.Rules{Transient: &policy.Transient{}}, policy.Outcome{Status: 7, Diagnosis: &policy.Diagnosis{}},
			": exit status 7: retry (no rule matched, and --transient reads English)\n"},
		{policy.Rules{Transient: &policy.Transient{}}, policy.Outcome{}, ": exit status 0: success (no rule matched)\n"},
		{policy.Rules{Transient: &policy.Transient{}, StopIf: rules(t, "7")}, policy.Outcome{Status: 7},
			": exit status 7: stop (--stop-if code:7)\n"},
		{policy.Rules{}, policy.Outcome{Status: 7, Diagnosis: diagnosis},
			": exit status 7: retry (no rule matched)\nretry: cmd: attempt 1/10: a Retry-After was ignored: it is 3h\n"},
	} {
		job := testJob(func(j *runner.Job) { j.Rules = test.rules })
		got := told(t, job, runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: test.rules.Judge(test.outcome)})
		if want := "retry: cmd: attempt 1/10" + test.want; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// The line of the first retry says how many attempts all layers of retry can make together.
func TestTextReportsLayers(t *testing.T) {
	for _, test := range []struct {
		own   int
		outer []int
		want  string
	}{
		{10, nil, ""},
		{10, []int{1}, ", up to 10 attempts in 2 layers of retry"},
		{10, []int{3, 5}, ", up to 150 attempts in 3 layers of retry"},
		{10, []int{0}, ", no limit on attempts in 2 layers of retry"},
		{0, []int{3}, ", no limit on attempts in 2 layers of retry"},
		{10, []int{math.MaxInt / 10}, fmt.Sprintf(", up to %d attempts in 2 layers of retry", math.MaxInt/10*10)},
		{10, []int{math.MaxInt/10 + 1}, ", no limit on attempts in 2 layers of retry"},
	} {
		failed := new(policy.Rules).Judge(policy.Outcome{Status: 7})
		job := testJob(func(j *runner.Job) { j.MaxAttempts, j.Outer = test.own, test.outer })
		got := told(t, job,
			runner.Event{Kind: runner.SleepPlanned},
			runner.Event{Kind: runner.SleepPlanned, Attempt: 1, Verdict: failed, Left: time.Minute, Asked: runner.Asked{Time: time.Second}},
			runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Verdict: failed})
		name := "retry: cmd: " + attemptName(job, 1, 0)
		again := "retry: cmd: " + attemptName(job, 2, 0)
		want := "retry: cmd: staggered start; sleeping 0s\n" +
			name + " failed: exit status 7 after 0s; sleeping 0s, the server asked for 1s, 1m left" + test.want + "\n" +
			again + " failed: exit status 7 after 0s; sleeping 0s\n"
		if got != want {
			t.Errorf("%d in %d: got\n%swant\n%s", test.own, test.outer, got, want)
		}
	}
}

// After a long attempt has reset the count, a line has both numbers.
func TestTextCountsSinceTheReset(t *testing.T) {
	got := told(t, testJob(nil), runner.Event{Kind: runner.AttemptStarted, Attempt: 12, ResetAt: 10})
	if want := "retry: cmd: attempt 12 (2/10 since the reset) starts\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Write errors are ignored, and the next line is written all the same.
func TestTextSurvivesAFailingWriter(t *testing.T) {
	out := &writes{err: errors.New("broken pipe")}
	text := &Text{Writer: out, Job: testJob(nil), Verbosity: Detailed}
	for range 2 {
		if err := text.Report(runner.Event{Kind: runner.AttemptStarted, Attempt: 1}); err != nil {
			t.Error(err)
		}
	}
	if len(out.got) != 2 {
		t.Errorf("got %q, want both lines tried", out.got)
	}
}
