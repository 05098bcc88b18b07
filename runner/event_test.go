package runner

import (
	"errors"
	"testing"
)

// If a reporter fails, the others are still called.
func TestReporters(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	all := []*fake{{}, {fails: map[string]error{"report 1": first}}, {fails: map[string]error{"report 1": second}}}
	if err := (Reporters{all[0], all[1], all[2]}).Report(Event{Kind: AttemptStarted, Attempt: 1}); err != first {
		t.Errorf("got %v, want %v", err, first)
	}
	for i, f := range all {
		if len(f.told) != 1 {
			t.Errorf("reporter %d was told %q", i, f.told)
		}
	}
}
