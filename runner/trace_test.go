package runner

import (
	"regexp"
	"testing"
)

func TestParseTrace(t *testing.T) {
	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, text := range []string{"00-" + id + "-" + parent + "-01", "00-" + id + "-" + parent + "-00", "01-" + id + "-" + parent + "-01-more"} {
		trace := ParseTrace(text)
		if trace == nil || trace.ID != id || trace.Parent != parent || len(trace.Call) != 16 || trace.Call == parent {
			t.Errorf("%s: %+v", text, trace)
		}
	}
	for _, text := range []string{
		"", "00", "nonsense", "00-" + id + "-" + parent, "ff-" + id + "-" + parent + "-01", "00-" + id + "-" + parent + "-01-more",
		"00-00000000000000000000000000000000-" + parent + "-01", "00-" + id + "-0000000000000000-01",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-" + parent + "-01", "00-" + id + "-" + parent + "-1", "00-" + id + "-" + parent + "-0g",
		"00-" + id[1:] + "-" + parent + "-01",
	} {
		if trace := ParseTrace(text); trace != nil {
			t.Errorf("%s: %+v", text, trace)
		}
	}
}

// An attempt always has the same span, and no two attempts have the same one.
func TestTraceAttempts(t *testing.T) {
	trace := NewTrace()
	seen := map[string]bool{trace.Call: true}
	for number := range 1000 {
		span := trace.Attempt(number)
		if !regexp.MustCompile("^[0-9a-f]{16}$").MatchString(span) || seen[span] || span != trace.Attempt(number) {
			t.Fatalf("attempt %d has span %s", number, span)
		}
		seen[span] = true
	}
	if got := trace.Traceparent(3); got != "00-"+trace.ID+"-"+trace.Attempt(3)+"-01" || len(trace.ID) != 32 || trace.Parent != "" {
		t.Errorf("%s of %+v", got, trace)
	}
}
