package runner

import (
	"time"

	"retry/policy"
)

// Event is something that happened during a run. The comment on a field names the kinds of event that have it.
type Event struct {
	Kind    EventKind
	Attempt int            // the number of the attempt the event is about; 0 before the first
	ResetAt int            // the number of the last attempt that took at least --reset-after; 0 for none
	Fresh   bool           // so did this attempt: SleepPlanned
	Elapsed time.Duration  // since the start of the run: AttemptStarted
	Verdict policy.Verdict // AttemptJudged, SleepPlanned
	Streak  int            // successes in a row so far: AttemptJudged, SleepPlanned
	Sleep   time.Duration  // SleepPlanned
	Asked   Asked          // what a server asked for: SleepPlanned
	Left    time.Duration  // until the deadline, 0 for none: SleepPlanned
	Result  Result         // RunEnded
	Fault   error          // BudgetFailed, OnFailureFailed
	Warning string         // Warned
}

// Asked is how long a server asked to wait. Other says that it asked another call with the same budget.
type Asked struct {
	Time  time.Duration
	Other bool
}

// String returns the phrase for a report line.
func (a Asked) String() string {
	if a.Other {
		return "the server asked another call for " + policy.FormatDuration(a.Time)
	}
	return "the server asked for " + policy.FormatDuration(a.Time)
}

// EventKind says what happened.
type EventKind int

// The kinds of event.
const (
	RunStarted EventKind = iota
	AttemptStarted
	AttemptJudged
	SleepPlanned
	SleepEnded
	BudgetFailed
	Warned
	OnFailureFailed
	RunEnded
)

// A Reporter reports events. If it returns an error, retry fails.
type Reporter interface {
	Report(Event) error
}

// Reporters is a Reporter that passes every event to each of its elements.
type Reporters []Reporter

// Report calls all reporters and returns the first error.
func (r Reporters) Report(e Event) (first error) {
	for _, reporter := range r {
		if err := reporter.Report(e); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Result is how a run ended.
type Result struct {
	Success  bool
	Status   int           // retry's exit status
	Signal   policy.Signal // if not zero, retry ends itself by this signal instead
	Cause    Cause         // why the run ended without success
	Reason   string        // the same in words
	Attempts int
	Elapsed  time.Duration
}
