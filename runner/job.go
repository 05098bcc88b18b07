package runner

import (
	"time"

	"retry/policy"
)

// Job is everything one call of retry needs, already validated.
type Job struct {
	Name    string   // what retry's lines call the command
	Command []string // the argument vector, at least one word

	Schedule policy.Schedule
	Seed     uint64
	Spacing  time.Duration // the sleep between the successes of a streak
	Rules    policy.Rules

	Listening   policy.Listening
	HintMost    time.Duration // a server that asks for a longer wait ends retrying
	Judge       []string      // what decides instead of the rules, an argument vector; empty for nothing
	BeforeRetry []string      // what runs before each retry, and can forbid it
	Budget      Budget        // what is left for retries; nil for no limit
	BudgetName  string
	Outer       []int // the most attempts of each retry around this one, 0 for no limit

	MaxAttempts int           // 0 for no limit
	Disabled    bool          // RETRY_DISABLE: no attempt but the first
	Consecutive int           // successes in a row that are wanted, at least 1
	Stagger     time.Duration // 0 for none
	ResetAfter  time.Duration // 0 for never
	Deadline    time.Duration // 0 for none

	Timeout      time.Duration // of one attempt; 0 for none
	Signal       policy.Signal // what a timeout sends first
	KillAfter    time.Duration // from that signal to KILL
	KillOnSignal bool          // a signal to retry starts the KILL clock too

	Sweep bool // an attempt that ends by itself leaves nothing running either

	Stdin       Input
	Hold        [2]Holding    // what becomes of standard output and standard error
	TTY         TTY           // where the command gets pseudo-terminals
	IdleTimeout time.Duration // of an attempt that prints nothing; 0 for none
}

// Holding is what becomes of an output stream.
type Holding int

// The ways to treat an output stream.
const (
	Live    Holding = iota // it is passed on as it comes
	Success                // only a successful last attempt's; a failed attempt's standard output goes to standard error
	Last                   // only the last attempt's
)

// TTY is where the command gets a pseudo-terminal for an output stream. One that is held is never one.
type TTY int

// The ways to give it terminals.
const (
	AutoTTY   TTY = iota // in the place of a terminal that is watched
	AlwaysTTY            // everywhere, unless the stream is a terminal that nobody watches
	NeverTTY             // nowhere: what is watched is a pipe
)

// Input is what the command reads.
type Input int

// The inputs.
const (
	Guarded Input = iota // retry's own, and no retry with an input that an attempt has used up
	Inherit              // retry's own, come what may
	Replay               // the same bytes for each attempt
	Nothing              // an empty one
)
