package report

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"retry/policy"
	"retry/runner"
)

// moment matches a field that contains a time of day.
var moment = regexp.MustCompile(`,"(time|start)":"[^"]*"`)

// reported returns what a JSON reporter writes about the events, without the times of day.
func reported(t *testing.T, r *JSON, events ...runner.Event) []string {
	t.Helper()
	w := &writes{}
	r.Writer = w
	synctest.Test(t, func(t *testing.T) {
		for _, e := range events {
			if err := r.Report(e); err != nil {
				t.Error(err)
			}
		}
	})
	for i, line := range w.got {
		w.got[i] = moment.ReplaceAllString(line, "")
	}
	return w.got
}

func TestJSON(t *testing.T) {
	job := testJob(func(j *runner.Job) {
		j.Call, j.Schedule = "12ab", policy.Schedule{Backoff: policy.Constant(time.Second), Jitter: policy.None{}}
	})
	failed := new(policy.Rules).Judge(policy.Outcome{Status: 7, Duration: 2 * time.Second, Diagnosis: &policy.Diagnosis{HTTP: 503}})
	succeeded := new(policy.Rules).Judge(policy.Outcome{Duration: time.Second, Diagnosis: &policy.Diagnosis{}})
	got := reported(t, &JSON{Job: job},
		runner.Event{Kind: runner.RunStarted},
		runner.Event{Kind: runner.AttemptStarted, Attempt: 1},
		runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: failed},
		runner.Event{Kind: runner.SleepPlanned, Attempt: 1, Sleep: 1500 * time.Millisecond},
		runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Sleep: 4 * time.Second, Asked: runner.Asked{Time: 4 * time.Second}},
		runner.Event{Kind: runner.AttemptStarted, Attempt: 3, Elapsed: 8 * time.Second},
		runner.Event{Kind: runner.AttemptJudged, Attempt: 3, Verdict: succeeded},
		runner.Event{Kind: runner.RunEnded, Result: runner.Result{Success: true, Attempts: 3, Elapsed: 9 * time.Second}},
	)
	want := []string{
		`"event":"start","max_attempts":10}`,
		`"event":"attempt","attempt":1,"duration":2,"status":7,"end":"exit","verdict":"retry","reason":"exit status 7","http":503}`,
		`"event":"sleep","attempt":1,"planned":1.5,"hint":null}`,
		`"event":"sleep","attempt":2,"planned":4,"hint":4}`,
		`"event":"attempt","attempt":3,"duration":1,"status":0,"end":"exit","verdict":"success","reason":"exit status 0"}`,
		`"event":"result","success":true,"status":0,"attempts":3,"ran":3,"slept":5.5,"elapsed":9,"failed":2,"down":0,"up":8,` +
			`"failures":{"exit status 7":1},"schedule":"--delay 1s -n 10"}`,
	}
	for i := range want {
		want[i] = `{"v":1,"call":"12ab","label":"cmd",` + want[i] + "\n"
	}
	if strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("got\n%swant\n%s", strings.Join(got, ""), strings.Join(want, ""))
	}
}

// The first line has a field for each limit of the call.
func TestJSONLimits(t *testing.T) {
	job := testJob(func(j *runner.Job) { j.Timeout, j.Deadline = time.Minute, time.Hour })
	got := reported(t, &JSON{Job: job}, runner.Event{Kind: runner.RunStarted})
	if want := `,"event":"start","max_attempts":10,"timeout":60,"deadline":3600}` + "\n"; len(got) != 1 || !strings.HasSuffix(got[0], want) {
		t.Errorf("%q, want %q at the end", got, want)
	}
}

// An attempt's line has the ID of the attempt's span, which the command also finds in TRACEPARENT. All other lines have
// that of the call.
func TestJSONSpans(t *testing.T) {
	trace := runner.ParseTrace(traceparent)
	job := testJob(func(j *runner.Job) { j.Trace = trace })
	got := reported(t, &JSON{Job: job}, runner.Event{Kind: runner.RunStarted}, runner.Event{Kind: runner.AttemptJudged, Attempt: 2})
	for i, span := range []string{trace.Call, trace.Attempt(2)} {
		if want := `,"span_id":"` + span + `"`; strings.Count(got[i], want) != 1 || strings.Count(got[i], "span_id") != 1 {
			t.Errorf("%s, want one %s", got[i], want)
		}
	}
}

// The options in the result line set the same schedule and limits when they are given to retry.
func TestScheduleOptions(t *testing.T) {
	for want, job := range map[string]runner.Job{
		"--base 1s --factor 1.25 --cap 1m --jitter full -n 10": {
			Schedule:    policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 1.25}, Jitter: policy.Full{}, Cap: time.Minute},
			MaxAttempts: 10,
		},
		"--base 1s --cap 0s --jitter decorrelated -n 0": {
			Schedule: policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Decorrelated{}},
		},
		"--backoff linear --base 1m30s --cap 1h --jitter none -n 1 --deadline 2h": {
			Schedule:    policy.Schedule{Backoff: policy.Linear(90 * time.Second), Jitter: policy.None{}, Cap: time.Hour},
			MaxAttempts: 1, Deadline: 2 * time.Hour,
		},
		"--delay 250ms --deadline 1h0m30s": {
			Schedule: policy.Schedule{Backoff: policy.Constant(250 * time.Millisecond), Jitter: policy.None{}}, Deadline: time.Hour + 30*time.Second,
		},
		"--delays 1s,1m,1h30m --cap 2m --jitter equal -n 3": {
			Schedule: policy.Schedule{
				Backoff: policy.Delays{time.Second, time.Minute, 90 * time.Minute}, Jitter: policy.Equal{}, Cap: 2 * time.Minute,
			},
			MaxAttempts: 3,
		},
	} {
		if got := scheduleOptions(&job); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
