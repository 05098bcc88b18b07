package policy

import (
	"fmt"
	"time"
)

// Outcome is what is known of one finished attempt.
type Outcome struct {
	End       End
	Status    int        // as a shell reports it: 0 to 255, 128+n after signal n, 124 after a timeout, 126 or 127 if not started
	Signal    Signal     // what killed the command, or, when Interrupted, what retry was sent
	Fault     string     // why the command could not be started
	Passing   bool       // the fault is a shortage that may pass, not a property of the command
	Matched   []*Pattern // the patterns that matched its output
	Diagnosis *Diagnosis // what its output told beside; nil where it was not read
	Spent     Spent      // whether it has taken from an input that can't be given again
	Duration  time.Duration
}

// Spent says whether an attempt has taken anything from an input that can't be given again.
type Spent int

const (
	Unspent         Spent = iota
	PerhapsConsumed       // the system doesn't tell for sure
	Consumed
)

// End is how an attempt ended.
type End int

// The ends of an attempt. The last two are ends of the whole run, and such an attempt is not judged.
const (
	Exited         End = iota // the command exited by itself
	Killed                    // a signal killed it
	TimedOut                  // retry ended it after the timeout
	Idle                      // retry ended it after it had printed nothing for the idle timeout
	NotStarted                // it could not be executed, or was not found
	Interrupted               // retry was sent a signal
	DeadlinePassed            // retry ended it because the deadline passed
)

// Signal is a signal's number and its name, SIGTERM for instance. The zero value is no signal.
type Signal struct {
	Number int
	Name   string
}

// Statuses of retry's own making, as timeout(1), env(1) and shells use them.
const (
	StatusTempfail     = 75 // EX_TEMPFAIL of sysexits.h
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

// endsRetrying reports whether the command died of a signal by which a user or a closed pipe ends a whole pipeline.
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
