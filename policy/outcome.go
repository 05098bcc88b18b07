package policy

import (
	"fmt"
	"time"
)

// Outcome describes a finished attempt.
type Outcome struct {
	End       End
	Status    int        // as a shell reports it: 0 to 255, 128+n after signal n, 124 after a timeout, 126 or 127 if not started
	Signal    Signal     // the signal that killed the command or, if Interrupted, that retry received
	Fault     string     // why the command could not be started
	Passing   bool       // the fault may go away by itself, like a lack of memory
	Matched   []*Pattern // the patterns that matched its output
	Diagnosis *Diagnosis // what its output revealed; nil if it was not read
	Spent     Spent      // whether it consumed input that can't be replayed
	Duration  time.Duration
}

// Spent says whether an attempt consumed input that can't be replayed.
type Spent int

const (
	Unspent         Spent = iota
	PerhapsConsumed       // the system can't tell for certain
	Consumed
)

// End is how an attempt ended.
type End int

// The ends of an attempt. The last two end the whole run, without judging the attempt.
const (
	Exited         End = iota // the command exited by itself
	Killed                    // a signal killed it
	TimedOut                  // retry ended it after the timeout
	Idle                      // retry ended it after the idle timeout without output
	NotStarted                // it could not be executed, or was not found
	Interrupted               // retry received a signal
	DeadlinePassed            // retry ended it because the deadline passed
)

// Signal is a signal's number and name, such as SIGTERM. The zero value is no signal.
type Signal struct {
	Number int
	Name   string
}

// Exit statuses with the meanings they have for timeout(1), env(1), shells and sysexits.h.
const (
	StatusTempfail     = 75 // EX_TEMPFAIL
	StatusTimeout      = 124
	StatusFault        = 125
	StatusNotExecuted  = 126
	StatusNotFound     = 127
	StatusSignalOffset = 128
)

func (o Outcome) String() string {
	switch o.End {
	case Killed:
		return "killed by " + o.Signal.Name
	case TimedOut:
		return "timed out"
	case Idle:
		return "timed out without output"
	case NotStarted:
		return o.Fault
	case Interrupted:
		return "interrupted by " + o.Signal.Name
	case DeadlinePassed:
		return "the deadline passed"
	}
	return fmt.Sprintf("exit status %d", o.Status)
}

// timedOut reports whether retry ended the attempt after one of its timeouts.
func (o Outcome) timedOut() bool { return o.End == TimedOut || o.End == Idle }

// endsRetrying reports whether the command died of a signal with which the user or a closed pipe ends a whole pipeline.
func (o Outcome) endsRetrying() bool {
	if o.End != Killed {
		return false
	}
	switch o.Signal.Name {
	case "SIGINT", "SIGQUIT", "SIGPIPE":
		return true
	}
	return false
}
