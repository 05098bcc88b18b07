package report_test

import (
	"os"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/report"
)

// The lines of a call that succeeds on its second attempt.
func ExampleText() {
	text := &report.Text{Writer: os.Stdout, Job: &runner.Job{Name: "curl", MaxAttempts: 10}}
	rules := &policy.Rules{}
	failed := rules.Judge(policy.Outcome{Status: 22, Duration: 131 * time.Millisecond})
	for _, event := range []runner.Event{
		{Kind: runner.AttemptStarted, Attempt: 1},
		{Kind: runner.AttemptJudged, Attempt: 1, Verdict: failed},
		{Kind: runner.SleepPlanned, Attempt: 1, Verdict: failed, Sleep: 734 * time.Millisecond, Left: time.Minute},
		{Kind: runner.RunEnded, Attempt: 2, Result: runner.Result{Success: true, Elapsed: 980 * time.Millisecond}},
	} {
		if err := text.Report(event); err != nil {
			panic(err)
		}
	}
	// Output:
	// retry: curl: attempt 1/10 failed: exit status 22 after 131ms; sleeping 734ms, 1m left
	// retry: curl: succeeded on attempt 2 after 980ms
}
