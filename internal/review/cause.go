package review

import "bytes"

// Cause is why a call ended without success.
type Cause int

// The causes, in the order in which a review shows them.
const (
	Attempts    Cause = iota // none was left
	Deadline                 // no time was left
	Budget                   // no token was left
	Permanent                // a rule said that no retry would help
	Interrupted              // retry was sent a signal, or nobody read its output any more
	Server                   // it asked for too long a wait
	Refused                  // by --before-retry
	Input                    // standard input had been consumed
	Disabled                 // by RETRY_DISABLE
	Fault                    // retry itself failed
	Causes                   // how many there are
)

var causeNames = [Causes]string{
	"attempts", "deadline", "budget", "permanent", "interrupted", "server", "before-retry", "input", "disabled", "fault",
}

func (c Cause) String() string { return causeNames[c] }

// causeOf is what a result line says, or what its reason says where it is from before lines had a cause.
func (l *line) causeOf() Cause {
	for c, name := range causeNames {
		if string(l.cause) == name {
			return Cause(c)
		}
	}
	if _, limit, found := bytes.Cut(l.reason, []byte(": ")); found && bytes.HasPrefix(l.reason, []byte("giving up after ")) {
		return firstOf(limit, Attempts, []beginning{
			{"the deadline of ", Deadline}, {"the retry budget ", Budget}, {"the server asked ", Server},
		})
	}
	if why, found := bytes.CutPrefix(l.reason, []byte("not retrying: ")); found {
		return firstOf(why, Permanent, []beginning{
			{"SIG", Interrupted}, {"nobody reads ", Interrupted}, {"RETRY_DISABLE ", Disabled},
			{"standard input was consumed", Input}, {"--before-retry: ", Refused},
		})
	}
	if bytes.HasPrefix(l.reason, []byte("the deadline of ")) {
		return Deadline
	}
	return Fault
}

type beginning struct {
	text  string
	cause Cause
}

// firstOf is the cause whose text comes first.
func firstOf(why []byte, otherwise Cause, list []beginning) Cause {
	for _, b := range list {
		if bytes.HasPrefix(why, []byte(b.text)) {
			return b.cause
		}
	}
	return otherwise
}
