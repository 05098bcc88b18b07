package runner

import (
	"time"

	"retry/policy"
)

// Job is everything that one call of retry needs, already validated.
type Job struct {
	Name    string   // the name of the command in retry's lines
	Call    string   // identifies this call; the same for all of its attempts
	Command []string // the argument vector, at least one word

	Schedule policy.Schedule
	Throttle policy.Schedule // of the shortest sleeps after throttling; without a Backoff there is none
	Seed     uint64
	Spacing  time.Duration // the sleep between the successes of a streak
	Rules    policy.Rules

	Diagnostics policy.Diagnostics
	HintMost    time.Duration // the longest wait that a server may ask for; a longer one ends the run
	Judge       []string      // the command that decides instead of the rules; empty for none
	BeforeRetry []string      // the command that can forbid a retry; empty for none
	OnFailure   []string      // the command that runs when retry gives up; empty for none
	Budget      Budget        // nil for no limit
	BudgetName  string
	Outer       []int // the attempt limit of each retry around this one, the outermost first; 0 for no limit

	MaxAttempts int           // 0 for no limit
	Disabled    bool          // RETRY_DISABLE is set: there is only one attempt
	Consecutive int           // how many successes in a row are needed, at least 1
	Stagger     time.Duration // 0 for none
	ResetAfter  time.Duration // 0 for never
	Deadline    time.Duration // 0 for none
	Inherited   bool          // the deadline is that of a retry around this one
	Tempfail    bool          // giving up on a failure that was worth another try has an exit status of its own
	Rewind      []string      // files to truncate to their old length after a failed attempt

	Timeout      time.Duration // of one attempt; 0 for none
	Signal       policy.Signal // what a timeout sends first
	KillAfter    time.Duration // the time between that signal and SIGKILL
	KillOnSignal bool          // a signal to retry also starts the KillAfter timer

	Sweep bool // end what an attempt leaves running even if the command ended by itself

	Messages string // the locale of the command's messages; empty for retry's own

	Trace    *Trace   // nil without a trace
	Warnings []string // reported before the first attempt

	Stdin       Input
	Hold        [2]Holding    // when standard output and standard error are passed on
	TTY         TTY           // when the command gets pseudo-terminals
	IdleTimeout time.Duration // of an attempt that prints nothing; 0 for none
}

// Holding says when an output stream is passed on.
type Holding int

// The ways to treat an output stream.
const (
	Live    Holding = iota // at once
	Success                // at the end, only that of a successful last attempt; a failed attempt's goes to standard error
	Last                   // at the end, only that of the last attempt
)

// TTY says when the command gets a pseudo-terminal as an output stream. It never does for a stream that is held.
type TTY int

// The ways to give the command terminals.
const (
	AutoTTY   TTY = iota // in place of a terminal that is watched
	AlwaysTTY            // always, except in place of a terminal that isn't watched
	NeverTTY             // never: a watched stream is a pipe
)

// Input says what the command reads from its standard input.
type Input int

// The inputs.
const (
	Guarded Input = iota // retry's own input; no retry once an attempt has consumed it
	Inherit              // retry's own input, even if it has been consumed
	Replay               // the same bytes for every attempt
	Nothing              // an empty input
)
