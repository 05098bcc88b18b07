package report

import (
	"fmt"
	"io"
	"math"

	"retry/policy"
	"retry/runner"
)

// Text reports events as lines. Each line starts with "retry: " and the command's name, and is written by a single
// write. Write errors are ignored.
//
//	retry: curl: attempt 2/10 failed: exit status 22 after 131ms; sleeping 1.734s, 4m left
//	retry: curl: succeeded on attempt 3 after 4.2s
//	retry: curl: giving up after 10 attempts in 2m3s: exit status 22
//	retry: curl: not retrying: exit status 2 matches --stop-if code:2
type Text struct {
	Writer    io.Writer
	Job       *runner.Job
	Verbosity Verbosity

	slept bool // the sleep before a retry has been reported at least once
}

// Verbosity says how much Text reports.
type Verbosity int

// The verbosities, from --quiet twice to --verbose.
const (
	Silent   Verbosity = iota - 2
	Quiet              // only the final failure and warnings
	Normal             // also every sleep, and a success after retries
	Detailed           // also each start, and each verdict with its rule
)

// Report writes the event's line if it has one.
func (t *Text) Report(e runner.Event) error {
	switch e.Kind {
	case runner.AttemptStarted, runner.AttemptJudged:
		if t.Verbosity >= Detailed {
			t.detail(e)
		}
	case runner.SleepPlanned:
		t.sleep(e)
	case runner.BudgetFailed:
		t.line(Quiet, "retry budget %s: %v; going on as if it were full", t.Job.BudgetName, e.Fault)
	case runner.OnFailureFailed:
		t.line(Quiet, "--on-failure: %v", e.Fault)
	case runner.Warned:
		t.line(Quiet, "%s", e.Warning)
	case runner.RunEnded:
		t.ended(e)
	}
	return nil
}

func (t *Text) detail(e runner.Event) {
	if e.Kind == runner.AttemptStarted {
		t.line(Detailed, "%s starts", t.attempt(e))
		return
	}
	rule := e.Verdict.Rule()
	switch {
	case rule == "" && e.Verdict.Decision == policy.Retry && t.Job.Rules.Transient != nil:
		rule = "no rule matched, and --transient reads English"
	case rule == "":
		rule = "no rule matched"
	}
	t.line(Detailed, "%s: %v: %v (%s)", t.attempt(e), e.Verdict.Outcome, e.Verdict.Decision, rule)
	if told := e.Verdict.Outcome.Diagnosis; told != nil && told.Ignored != nil {
		t.line(Detailed, "%s: a Retry-After was ignored: %v", t.attempt(e), told.Ignored)
	}
}

func (t *Text) sleep(e runner.Event) {
	what := "staggered start"
	if e.Attempt > 0 {
		what = t.attempt(e) + " failed: " + e.Verdict.Reason()
		if e.Verdict.Decision == policy.Success {
			what = fmt.Sprintf("%s succeeded: %d of %d in a row", t.attempt(e), e.Streak, t.Job.Consecutive)
		}
		what += " after " + policy.FormatDuration(e.Verdict.Outcome.Duration)
	}
	more := ""
	if e.Asked.Time > 0 {
		more = ", " + e.Asked.String()
	}
	if e.Left > 0 {
		more += fmt.Sprintf(", %s left", policy.FormatDuration(e.Left))
	}
	if e.Attempt > 0 && !t.slept {
		t.slept = true
		more += t.layers()
	}
	t.line(Normal, "%s; sleeping %s%s", what, policy.FormatDuration(e.Sleep), more)
}

// layers says how many attempts all layers of retry can make together, if there is more than one.
func (t *Text) layers() string {
	if len(t.Job.Outer) == 0 {
		return ""
	}
	product := t.Job.MaxAttempts
	for _, most := range t.Job.Outer {
		if most > 0 && product > math.MaxInt/most {
			most = 0
		}
		product *= most
	}
	if product == 0 {
		return fmt.Sprintf(", no limit on attempts in %d layers of retry", len(t.Job.Outer)+1)
	}
	return fmt.Sprintf(", up to %d attempts in %d layers of retry", product, len(t.Job.Outer)+1)
}

func (t *Text) ended(e runner.Event) {
	switch {
	case !e.Result.Success:
		t.line(Quiet, "%s", e.Result.Reason)
	case e.Attempt > 1:
		t.line(Normal, "succeeded on attempt %d after %s", e.Attempt, policy.FormatDuration(e.Result.Elapsed))
	}
}

func (t *Text) attempt(e runner.Event) string { return attemptName(t.Job, e.Attempt, e.ResetAt) }

// attemptName returns "attempt 2/10", "attempt 2" if there is no limit, or "attempt 12 (2/10 since the reset)".
func attemptName(job *runner.Job, number, resetAt int) string {
	switch {
	case job.MaxAttempts == 0:
		return fmt.Sprintf("attempt %d", number)
	case resetAt > 0:
		return fmt.Sprintf("attempt %d (%d/%d since the reset)", number, number-resetAt, job.MaxAttempts)
	}
	return fmt.Sprintf("attempt %d/%d", number, job.MaxAttempts)
}

func (t *Text) line(least Verbosity, format string, values ...any) {
	if t.Verbosity < least {
		return
	}
	fmt.Fprintf(t.Writer, "retry: %s: "+format+"\n", append([]any{t.Job.Name}, values...)...)
}
