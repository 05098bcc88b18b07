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
	// Settle is called after each attempt, as soon as it has been judged.
	Settle(success bool) error
	// Finish is called once, after the last attempt. success says how the run ended.
	Finish(success bool) error
	// Sleep returns after d, or as soon as retry is told to end, or when a signal asks for the next attempt now: then
	// woken is true.
	Sleep(d time.Duration) (woken bool)
	// Warnings returns what has come up since the last call and what a person should know. It changes nothing about the
	// run.
	Warnings() []string
	// Interrupted returns the last signal that told retry to end, or the zero Signal.
	Interrupted() policy.Signal
	// Elapsed returns the time since the start. It includes time in which the system was suspended, if the system
	// can measure that.
	Elapsed() time.Duration
}

// Attempt tells a command which attempt it is or belongs to.
type Attempt struct {
	Number         int           // from 1
	SinceReset     int           // the same, counted from the last attempt that ran for --reset-after
	PreviousStatus string        // of the attempt before; empty for the first
	Elapsed        time.Duration // since the start
	Remaining      time.Duration // until the deadline; 0 for no deadline
}

// Question is what a command that decides about the last attempt is run for.
type Question struct {
	Command []string
	Attempt        // the last attempt, with the present times
	Status  int    // of the last attempt
	Reason  string // of the verdict, if there is one yet
	Output  bool   // the command reads the attempt's standard output
}
