package runner

import (
	"time"

	"retry/policy"
)

// Event is something that happened during a run. The comments say which kinds of event have a field.
type Event struct {
	Kind    EventKind
	Attempt int            // the number of the attempt the event is about; 0 before the first
	ResetAt int            // the number of the last attempt that ran for --reset-after; 0 for none
	Fresh   bool           // this attempt did, too: SleepPlanned
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

// Asked is how long a server has asked to wait, and whether it was another call with the same budget that it asked.
type Asked struct {
	Time  time.Duration
	Other bool
}

// String returns what a report line says about it.
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

// A Reporter reports events. An error means that it can't, which makes retry fail.
type Reporter interface {
	Report(Event) error
}

// Reporters report every event to each of them.
type Reporters []Reporter

// Report calls all of them, and returns the first error.
func (r Reporters) Report(e Event) (first error) {
	for _, reporter := range r {
		if err := reporter.Report(e); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Result is how the whole run ended.
type Result struct {
	Success  bool
	Status   int           // retry's exit status
	Signal   policy.Signal // when not zero, retry ends itself by it instead
	Cause    Cause         // why it ended without success
	Reason   string        // why it ended, in words
	Attempts int
	Elapsed  time.Duration
}
