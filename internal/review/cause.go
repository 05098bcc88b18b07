package review

import (
	"bytes"

	"retry/runner"
)

// causeOf returns the cause in a result line. For lines from before there was a cause, it derives the cause from the reason.
func (l *line) causeOf() runner.Cause {
	for c := range runner.CauseCount {
		if c != runner.NoCause && string(l.cause) == c.String() {
			return c
		}
	}
	if _, limit, found := bytes.Cut(l.reason, []byte(": ")); found && bytes.HasPrefix(l.reason, []byte("giving up after ")) {
		return firstOf(limit, runner.AttemptsUsedUp, []beginning{
			{"the deadline of ", runner.DeadlineReached}, {"the retry budget ", runner.BudgetUsedUp}, {"the server asked ", runner.ServerAskedTooMuch},
		})
	}
	if why, found := bytes.CutPrefix(l.reason, []byte("not retrying: ")); found {
		return firstOf(why, runner.PermanentFailure, []beginning{
			{"SIG", runner.RunInterrupted}, {"nobody reads ", runner.RunInterrupted}, {"RETRY_DISABLE ", runner.RetryDisabled},
			{"standard input was consumed", runner.InputConsumed}, {"--before-retry: ", runner.RetryRefused},
		})
	}
	if bytes.HasPrefix(l.reason, []byte("the deadline of ")) {
		return runner.DeadlineReached
	}
	return runner.RunFailed
}

type beginning struct {
	text  string
	cause runner.Cause
}

// firstOf returns the cause whose text comes first.
func firstOf(why []byte, otherwise runner.Cause, list []beginning) runner.Cause {
	for _, b := range list {
		if bytes.HasPrefix(why, []byte(b.text)) {
			return b.cause
		}
	}
	return otherwise
}
