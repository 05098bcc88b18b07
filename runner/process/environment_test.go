package process

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"retry/runner"
)

// TestInheritedEnvironment checks that only what an outer retry said about its own attempt is left out.
func TestInheritedEnvironment(t *testing.T) {
	t.Setenv("RETRY_ATTEMPT", "3")
	t.Setenv("RETRY_TOKEN", "outer")
	t.Setenv("RETRY_OPTS", "-n 3")
	t.Setenv("ATTEMPT", "x")
	t.Setenv("TRACEPARENT", "span")
	for _, traced := range []bool{false, true} {
		environ := inheritedEnvironment(traced)
		for entry, want := range map[string]bool{
			"RETRY_ATTEMPT=3": false, "RETRY_TOKEN=outer": false, "RETRY_OPTS=-n 3": true, "ATTEMPT=x": true, "TRACEPARENT=span": !traced,
		} {
			if slices.Contains(environ, entry) != want {
				t.Errorf("traced %t: %s is inherited: %t", traced, entry, !want)
			}
		}
	}
}

func TestInLocale(t *testing.T) {
	for _, test := range []struct{ environ, messages, want string }{
		{"LC_ALL=de LANGUAGE=fr X=1", "", "LC_ALL=de LANGUAGE=fr X=1"},
		{"LANG=de LC_TIME=fr LC_MESSAGES=fr LANGUAGE=fr X=1", "C", "LANG=de LC_TIME=fr X=1 LC_MESSAGES=C LANGUAGE="},
		{"LC_ALL=de LANG=fr LC_TIME=fr LC_MESSAGES=fr X=1", "C", "X=1 LANG=de LC_MESSAGES=C LANGUAGE="},
		{"LC_ALL= LANG=fr LC_TIME=fr", "C", "LANG=fr LC_TIME=fr LC_MESSAGES=C LANGUAGE="},
	} {
		if got := strings.Join(inLocale(strings.Fields(test.environ), test.messages), " "); got != test.want {
			t.Errorf("%s in %q: %s, want %s", test.environ, test.messages, got, test.want)
		}
	}
}

func TestAttemptEnvironment(t *testing.T) {
	trace := runner.ParseTrace("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	job := &runner.Job{Call: "call", MaxAttempts: 7, Outer: []int{3, 0}, Trace: trace}
	attempt := runner.Attempt{Number: 5, SinceReset: 2, PreviousStatus: "9", Elapsed: 61900 * time.Millisecond}
	got := questionEnvironment(job, runner.Question{Attempt: attempt, Status: 8, Reason: "why"})
	want := []string{
		"RETRY_CALL=call", "RETRY_ATTEMPT=5", "RETRY_ATTEMPT_SINCE_RESET=2", "RETRY_MAX_ATTEMPTS=7", "RETRY_PREVIOUS_STATUS=9",
		"RETRY_ELAPSED=61", "RETRY_DEPTH=3", "RETRY_LAYERS=3,0,7", "TRACEPARENT=" + trace.Traceparent(5),
		"RETRY_STATUS=8", "RETRY_REASON=why",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, entry := range attemptEnvironment(&runner.Job{}, attempt) {
		if strings.HasPrefix(entry, "TRACEPARENT=") {
			t.Errorf("%s without a trace", entry)
		}
	}
}

// TestTimeLeft limits an attempt by the timeout or the deadline, whichever comes first.
func TestTimeLeft(t *testing.T) {
	for _, test := range []struct {
		timeout, remaining time.Duration
		want               string
	}{
		{0, 0, ""},
		{2 * time.Second, 0, "RETRY_REMAINING=2.000"},
		{0, 3 * time.Second, "RETRY_DEADLINE=13.000 RETRY_REMAINING=3.000"},
		{2 * time.Second, 3 * time.Second, "RETRY_DEADLINE=13.000 RETRY_REMAINING=2.000"},
		{4 * time.Second, 3 * time.Second, "RETRY_DEADLINE=13.000 RETRY_REMAINING=3.000"},
		{4 * time.Second, -time.Second, "RETRY_DEADLINE=9.000 RETRY_REMAINING=0.001"},
	} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(10 * time.Second)
			start := time.Now().Add(-10 * time.Second).Unix()
			var got []string
			for _, entry := range attemptEnvironment(&runner.Job{Timeout: test.timeout}, runner.Attempt{Remaining: test.remaining}) {
				if text, is := strings.CutPrefix(entry, "RETRY_DEADLINE="); is {
					seconds, _ := strconv.ParseFloat(text, 64)
					got = append(got, fmt.Sprintf("RETRY_DEADLINE=%.3f", seconds-float64(start)))
				} else if strings.HasPrefix(entry, "RETRY_REMAINING=") {
					got = append(got, entry)
				}
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("timeout %v, deadline in %v: %s, want %s", test.timeout, test.remaining, got, test.want)
			}
		})
	}
}

func TestOuterDeadline(t *testing.T) {
	const now = 946684800 // the time at which a synctest bubble starts
	const passed, unread = "has passed", "is not a time"
	for text, want := range map[string]string{
		"":                     "0s",
		"946684810.5":          "10.5s",
		"946684800":            passed,
		"0":                    passed,
		"-1":                   unread,
		"9223372036.854775807": unread, // a nanosecond more than a time.Duration can hold
		"9e9":                  "2237032h0m0s",
		"NaN":                  unread,
		"tomorrow":             unread,
	} {
		t.Setenv("RETRY_DEADLINE", text)
		synctest.Test(t, func(t *testing.T) {
			if time.Now().Unix() != now {
				t.Fatal(time.Now())
			}
			left, err := OuterDeadline()
			if got := fmt.Sprint(left); err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %s, %v; want %s", text, got, err, want)
			}
		})
	}
}

func TestOuterLayers(t *testing.T) {
	most := strings.Repeat("1,", 99) + "1"
	for text, want := range map[string]int{
		"5": 1, "3,0": 2, "": 0, "3,x": 0, "3,-1": 0, "3,": 0, most: 100, most + ",1": 0,
	} {
		t.Setenv("RETRY_LAYERS", text)
		if got := OuterLayers(); len(got) != want || want == 2 && !slices.Equal(got, []int{3, 0}) {
			t.Errorf("%q: %d, want %d layers", text, got, want)
		}
	}
	os.Unsetenv("RETRY_LAYERS")
	if got := OuterLayers(); got != nil {
		t.Errorf("without any: %d", got)
	}
}
