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

// EndsRetrying names a signal of the rule that ends retrying whatever the rules, if there is one. Their numbers are
// the same on every Unix.
func (s *Signals) EndsRetrying() (name string, found bool) {
	for _, signal := range []Signal{{2, "SIGINT"}, {3, "SIGQUIT"}, {13, "SIGPIPE"}} {
		if slices.Contains(s.numbers, signal.Number) {
			return signal.Name, true
		}
	}
	return "", false
}

// parseSignals reads signal names or numbers with commas between: KILL,SEGV.
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
