package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
)

// attempt is an attempt of a call: when it started, and how it ended.
type attempt struct {
	at      time.Duration
	outcome policy.Outcome
}

// The result line describes the failed attempts, whatever their order.
func TestOutage(t *testing.T) {
	ok, no := policy.Outcome{Duration: time.Second}, policy.Outcome{Status: 7, Duration: 2 * time.Second}
	timedOut := policy.Outcome{End: policy.TimedOut, Status: 124, Duration: time.Minute}
	gone := policy.Outcome{End: policy.Interrupted, Status: 143, Signal: policy.Signal{Number: 15, Name: "SIGTERM"}}
	for _, test := range []struct {
		name     string
		attempts []attempt
		want     string
	}{
		{"no attempt", nil, `{"failures":{}}`},
		{"no failure", []attempt{{3 * time.Second, ok}}, `{"failures":{}}`},
		{"a failure", []attempt{{3 * time.Second, no}}, `{"failed":2,"down":0,"failures":{"exit status 7":1}}`},
		{"an outage", []attempt{{time.Second, no}, {5 * time.Second, timedOut}, {70 * time.Second, no}, {80 * time.Second, ok}},
			`{"failed":64,"down":69,"up":79,"failures":{"exit status 7":2,"timed out":1}}`},
		{"a streak that breaks", []attempt{{0, ok}, {5 * time.Second, no}, {10 * time.Second, ok}, {15 * time.Second, no}},
			`{"failed":4,"down":0,"up":5,"failures":{"exit status 7":2}}`},
		{"interrupted", []attempt{{0, no}, {5 * time.Second, gone}}, `{"failed":2,"down":0,"failures":{"exit status 7":1}}`},
	} {
		var o outage
		for _, a := range test.attempts {
			o.started(a.at)
			v := new(policy.Rules).Judge(a.outcome)
			o.judged(v, v.Reason())
		}
		l := &line{text: []byte{}}
		o.write(l)
		if got := string(l.text) + "}"; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// However many reasons there are, a line lists a bounded number, and counts every attempt.
func TestManyReasons(t *testing.T) {
	var o outage
	for i := range 100 {
		o.judged(new(policy.Rules).Judge(policy.Outcome{Status: i + 1}), fmt.Sprint("reason ", i))
	}
	sum := 0
	for _, f := range o.failures {
		sum += f.count
	}
	if len(o.failures) != mostReasons+1 || sum != 100 || o.failures[mostReasons].reason != otherReason {
		t.Errorf("%d reasons of %d attempts, the last %q", len(o.failures), sum, o.failures[len(o.failures)-1].reason)
	}
}

// The three lines of a call that succeeds at once need few allocations.
func TestReportAllocatesLittle(t *testing.T) {
	job := testJob(func(j *runner.Job) {
		j.Schedule = policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Full{}, Cap: time.Minute}
	})
	verdict := new(policy.Rules).Judge(policy.Outcome{})
	var sink strings.Builder
	got := testing.AllocsPerRun(100, func() {
		sink.Reset()
		r := &JSON{Writer: &sink, Job: job}
		for _, e := range []runner.Event{
			{Kind: runner.RunStarted}, {Kind: runner.AttemptStarted, Attempt: 1}, {Kind: runner.AttemptJudged, Attempt: 1, Verdict: verdict},
			{Kind: runner.RunEnded, Result: runner.Result{Success: true, Attempts: 1}},
		} {
			if err := r.Report(e); err != nil {
				t.Fatal(err)
			}
		}
	})
	const most = 18
	if got > most {
		t.Errorf("%v allocations, more than %d", got, most)
	}
	for text := range strings.Lines(sink.String()) {
		if !json.Valid([]byte(text)) {
			t.Errorf("not JSON: %s", text)
		}
	}
}
