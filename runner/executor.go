package runner

import (
	"time"

	"retry/policy"
)

// An Executor is the operating system as the loop sees it.
type Executor interface {
	// Execute makes one attempt and returns when it is over. An error means that retry itself failed; a failing
	// command is an Outcome.
	Execute(Attempt) (policy.Outcome, error)
	// Consult runs a command that decides about an attempt, and returns how it ended.
	Consult(Question) (policy.Outcome, error)
	// Settle follows each attempt, as soon as it has been judged.
	Settle(success bool) error
	// Finish follows the last attempt and what was settled of it. success is that of the whole run.
	Finish(success bool) error
	// Sleep returns after d, or as soon as retry is interrupted, or woken: somebody wants the next attempt now.
	Sleep(d time.Duration) (woken bool)
	// Interrupted is the last signal by which retry was told to end, zero as long as there is none.
	Interrupted() policy.Signal
	// Elapsed is the time since the start, suspended time included where the system can tell.
	Elapsed() time.Duration
}

// Attempt is what one execution is told.
type Attempt struct {
	Number         int           // from 1
	PreviousStatus string        // empty at first
	Elapsed        time.Duration // since the start
	Remaining      time.Duration // until the deadline; 0 for no deadline
}

// Question is what a command that decides is told of the last attempt.
type Question struct {
	Command []string
	Attempt        // the last one; the times are those of now
	Status  int    // of the last attempt
	Reason  string // of its verdict, where there is one
	Output  bool   // whether it reads the attempt's standard output
}
