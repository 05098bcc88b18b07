package report

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"retry/policy"
	"retry/runner"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// spans reports a run of two attempts and returns the spans, parsed as OpenTelemetry's own messages. An
// ExportTraceServiceRequest has the fields of TracesData.
func spans(t *testing.T, job *runner.Job, events ...runner.Event) (list []*tracepb.Span) {
	t.Helper()
	w := &writes{}
	reporter := &Trace{Writer: w, Job: job, Service: "nightly", Version: "1.2"}
	for _, e := range events {
		if err := reporter.Report(e); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range w.got {
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
			t.Errorf("not one line: %q", line)
		}
		data := &tracepb.TracesData{}
		if err := protojson.Unmarshal(hexAsBase64(t, line), data); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		resource := data.ResourceSpans[0]
		if got := resource.Resource.Attributes[0]; got.Key != "service.name" || got.Value.GetStringValue() != "nightly" {
			t.Errorf("the resource has %v", got)
		}
		if scope := resource.ScopeSpans[0].Scope; scope.Name != "retry" || scope.Version != "1.2" {
			t.Errorf("the scope is %v", scope)
		}
		list = append(list, resource.ScopeSpans[0].Spans...)
	}
	return list
}

// hexAsBase64 rewrites IDs from hexadecimal digits, as in OTLP, to base64, as in the JSON mapping of protocol buffers.
func hexAsBase64(t *testing.T, line string) []byte {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(line), &tree); err != nil {
		t.Fatal(err)
	}
	span := tree["resourceSpans"].([]any)[0].(map[string]any)["scopeSpans"].([]any)[0].(map[string]any)["spans"].([]any)[0].(map[string]any)
	for _, key := range []string{"traceId", "spanId", "parentSpanId"} {
		if digits, there := span[key].(string); there {
			id, err := hex.DecodeString(digits)
			if err != nil || digits != strings.ToLower(digits) {
				t.Errorf("%s is %q", key, digits)
			}
			span[key] = id // which json.Marshal writes as base64
		}
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func attributes(s *tracepb.Span) map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes {
		all[a.Key] = a.Value.GetStringValue()
		if n, whole := a.Value.Value.(*commonpb.AnyValue_IntValue); whole {
			all[a.Key] = strconv.FormatInt(n.IntValue, 10)
		}
	}
	return all
}

func TestTrace(t *testing.T) {
	job := testJob(func(j *runner.Job) {
		j.Name, j.Command, j.Call, j.Trace = "fetch", []string{"/usr/bin/curl", "--token", "hunter2"}, "12ab", runner.ParseTrace(traceparent)
	})
	rules := policy.Rules{}
	failed := rules.Judge(policy.Outcome{Status: 22, Duration: time.Second})
	succeeded := rules.Judge(policy.Outcome{Duration: time.Second})
	list := spans(t, job,
		runner.Event{Kind: runner.RunStarted},
		runner.Event{Kind: runner.AttemptStarted, Attempt: 1},
		runner.Event{Kind: runner.AttemptJudged, Attempt: 1, Verdict: failed},
		runner.Event{Kind: runner.SleepPlanned, Attempt: 1, Verdict: failed, Sleep: 1500 * time.Millisecond, Asked: runner.Asked{Time: time.Second}},
		runner.Event{Kind: runner.AttemptStarted, Attempt: 2},
		runner.Event{Kind: runner.AttemptJudged, Attempt: 2, Verdict: succeeded},
		runner.Event{Kind: runner.RunEnded, Attempt: 2, Result: runner.Result{Success: true, Attempts: 2}},
	)
	if len(list) != 3 {
		t.Fatalf("there are %d spans", len(list))
	}
	first, second, call := list[0], list[1], list[2]
	for _, s := range list {
		if hex.EncodeToString(s.TraceId) != "4bf92f3577b34da6a3ce929d0e0e4736" || len(s.SpanId) != 8 || s.Flags != 1 {
			t.Errorf("span %v", s)
		}
		if s.StartTimeUnixNano == 0 || s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Errorf("%s is from %d to %d", s.Name, s.StartTimeUnixNano, s.EndTimeUnixNano)
		}
	}
	if took := time.Duration(first.EndTimeUnixNano - first.StartTimeUnixNano); took != time.Second {
		t.Errorf("the first attempt took 1s, and its span %v", took)
	}
	if hex.EncodeToString(call.ParentSpanId) != "00f067aa0ba902b7" || string(first.ParentSpanId) != string(call.SpanId) ||
		string(second.ParentSpanId) != string(call.SpanId) || string(first.SpanId) == string(second.SpanId) {
		t.Errorf("the parents of %v are wrong", list)
	}
	if got := job.Trace.Traceparent(2); got != "00-4bf92f3577b34da6a3ce929d0e0e4736-"+hex.EncodeToString(second.SpanId)+"-01" {
		t.Errorf("the second attempt got TRACEPARENT=%s", got)
	}
	if first.Kind != tracepb.Span_SPAN_KIND_CLIENT || call.Kind != tracepb.Span_SPAN_KIND_INTERNAL {
		t.Errorf("the kinds are %v and %v", first.Kind, call.Kind)
	}
	if got := attributes(first); got["process.exit.code"] != "22" || got["error.type"] != "22" ||
		got["process.executable.name"] != "curl" || got["retry.attempt"] != "1" {
		t.Errorf("the first attempt has %v", got)
	}
	if first.Status.Code != tracepb.Status_STATUS_CODE_ERROR || first.Status.Message != "exit status 22" ||
		second.Status.Code != tracepb.Status_STATUS_CODE_UNSET || call.Status.Code != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("the statuses are %v, %v and %v", first.Status, second.Status, call.Status)
	}
	if len(call.Events) != 1 || call.Events[0].Name != "sleep" || call.Events[0].Attributes[0].Value.GetDoubleValue() != 1.5 {
		t.Errorf("the call has the events %v", call.Events)
	}
}

// An error's type is the status of a command that exited, the name of a signal, or how else the attempt ended.
func TestErrorType(t *testing.T) {
	for want, o := range map[string]policy.Outcome{
		"7":       {Status: 7},
		"SIGSEGV": {End: policy.Killed, Status: 139, Signal: policy.Signal{Number: 11, Name: "SIGSEGV"}},
		"timeout": {End: policy.TimedOut, Status: 124},
	} {
		if got := errorType(o); got != want {
			t.Errorf("%+v: %q, want %q", o, got, want)
		}
	}
}

// The event of a sleep contains how long the server asked to wait, if it did.
func TestTraceReportsHints(t *testing.T) {
	job := testJob(func(j *runner.Job) { j.Command, j.Trace = []string{"true"}, runner.NewTrace() })
	list := spans(t, job, runner.Event{Kind: runner.RunStarted}, runner.Event{Kind: runner.SleepPlanned, Sleep: time.Second},
		runner.Event{Kind: runner.SleepPlanned, Sleep: 2 * time.Second, Asked: runner.Asked{Time: 2 * time.Second}},
		runner.Event{Kind: runner.RunEnded})
	events := list[0].Events
	if asked := events[1].Attributes; len(events[0].Attributes) != 1 || len(asked) != 2 ||
		asked[1].Key != "retry.hint" || asked[1].Value.GetDoubleValue() != 2 {
		t.Errorf("the sleeps are %v", events)
	}
}

// The command's arguments may contain secrets.
func TestTraceHoldsNoArguments(t *testing.T) {
	job := testJob(func(j *runner.Job) { j.Command, j.Trace = []string{"curl", "hunter2"}, runner.NewTrace() })
	started := runner.Event{Kind: runner.RunStarted}
	for _, s := range spans(t, job, started, runner.Event{Kind: runner.RunEnded, Result: runner.Result{Reason: "exit status 1"}}) {
		if strings.Contains(protojson.Format(s), "hunter2") || len(s.ParentSpanId) != 0 {
			t.Errorf("span %v", s)
		}
	}
}

// A run of many attempts must not keep all of its sleeps.
func TestTraceKeepsFewSleeps(t *testing.T) {
	job := testJob(func(j *runner.Job) { j.Command, j.Trace = []string{"true"}, runner.NewTrace() })
	events := []runner.Event{{Kind: runner.RunStarted}}
	for range 1000 {
		events = append(events, runner.Event{Kind: runner.SleepPlanned, Sleep: time.Second})
	}
	list := spans(t, job, append(events, runner.Event{Kind: runner.RunEnded})...)
	if len(list[0].Events) != 128 || list[0].DroppedEventsCount != 872 {
		t.Errorf("%d sleeps kept, %d dropped", len(list[0].Events), list[0].DroppedEventsCount)
	}
}
