package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Signals matches an outcome by the signal that killed the command.
type Signals struct {
	numbers []int
	text    string
}

func (s *Signals) Match(o Outcome) bool {
	return o.End == Killed && slices.Contains(s.numbers, o.Signal.Number)
}

func (s *Signals) String() string { return "signal:" + s.text }

// EndsRetrying returns a signal of the rule that always ends retrying, so that the rule can't match it. The numbers of
// these signals are the same on every Unix.
func (s *Signals) EndsRetrying() (name string, found bool) {
	for _, signal := range []Signal{{2, "SIGINT"}, {3, "SIGQUIT"}, {13, "SIGPIPE"}} {
		if slices.Contains(s.numbers, signal.Number) {
			return signal.Name, true
		}
	}
	return "", false
}

// parseSignals parses a comma-separated list of signal names and numbers: KILL,SEGV.
func parseSignals(list string, signals SignalNumber) (*Signals, error) {
	rule := &Signals{text: list}
	for item := range strings.SplitSeq(list, ",") {
		number, ok := signals(strings.TrimSpace(item))
		if !ok {
			return nil, fmt.Errorf("unknown signal %q; use KILL, SEGV or a number", item)
		}
		rule.numbers = append(rule.numbers, number)
	}
	return rule, nil
}
