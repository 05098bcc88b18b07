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
	// Settle is called after each attempt, as soon as the attempt has been judged.
	Settle(success bool) error
	// Finish is called once, after the last attempt. success says how the run ended.
	Finish(success bool) error
	// Sleep waits for d, or until retry is told to end. If a signal asks for the next attempt at once, it returns early
	// with woken set.
	Sleep(d time.Duration) (woken bool)
	// Warnings returns what a person should know and has not been returned before. It has no effect on the run.
	Warnings() []string
	// Interrupted returns the last signal that told retry to end, or the zero Signal.
	Interrupted() policy.Signal
	// Elapsed returns the time since the start of the run. It includes time in which the system was suspended, if the
	// system can measure that.
	Elapsed() time.Duration
}

// Attempt is what a command is told about the attempt that it is, or that it is run for.
type Attempt struct {
	Number         int           // from 1
	SinceReset     int           // the same, counted from the last attempt that took at least --reset-after
	PreviousStatus string        // exit status of the attempt before; empty for the first
	Elapsed        time.Duration // since the start of the run
	Remaining      time.Duration // until the deadline; 0 for no deadline
}

// A Question is put to a command about the last attempt, for --judge, --before-retry and --on-failure.
type Question struct {
	Command []string
	Attempt        // the last attempt, with the current times
	Status  int    // of the last attempt
	Reason  string // of the verdict, if there is one yet
	Output  bool   // the command reads the attempt's standard output
}
