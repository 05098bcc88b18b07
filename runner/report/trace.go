package report

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"retry/policy"
	"retry/runner"
)

// Trace reports the call and its attempts as spans in OTLP JSON, as OpenTelemetry's collector reads it from a file and
// from a POST to /v1/traces. Each line is an ExportTraceServiceRequest with one span: an attempt's when it has ended, the
// call's at the end. The names of attributes are those of the semantic conventions where these have one. Arguments of
// the command are not in it.
type Trace struct {
	Writer  io.Writer
	Job     *runner.Job
	Service string // service.name of the resource
	Version string // of retry

	began   time.Time // when the call did
	attempt time.Time // when the attempt did
	events  []spanEvent
	dropped int
}

// mostEvents is how many sleeps a span holds at most, which is OpenTelemetry's default limit.
const mostEvents = 128

// The messages of opentelemetry-proto, trace/v1 and common/v1, as far as they are used.
type (
	traceRequest struct {
		ResourceSpans [1]resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   resource      `json:"resource"`
		ScopeSpans [1]scopeSpans `json:"scopeSpans"`
	}
	resource struct {
		Attributes []attribute `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope   `json:"scope"`
		Spans [1]span `json:"spans"`
	}
	scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	span struct {
		TraceID       string      `json:"traceId"`
		SpanID        string      `json:"spanId"`
		ParentSpanID  string      `json:"parentSpanId,omitempty"`
		Flags         uint64      `json:"flags"`
		Name          string      `json:"name"`
		Kind          int         `json:"kind"`
		Start         string      `json:"startTimeUnixNano"`
		End           string      `json:"endTimeUnixNano"`
		Attributes    []attribute `json:"attributes,omitempty"`
		Events        []spanEvent `json:"events,omitempty"`
		DroppedEvents int         `json:"droppedEventsCount,omitempty"`
		Status        spanStatus  `json:"status"`
	}
	spanEvent struct {
		Time       string      `json:"timeUnixNano"`
		Name       string      `json:"name"`
		Attributes []attribute `json:"attributes,omitempty"`
	}
	spanStatus struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	attribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// The kinds of spans and the status that are used.
const (
	kindInternal = 1
	kindClient   = 3
	statusError  = 2
)

// Report keeps what the spans need, and writes them.
func (t *Trace) Report(e runner.Event) error {
	switch e.Kind {
	case runner.RunStarted:
		t.began = time.Now()
	case runner.AttemptStarted:
		t.attempt = time.Now()
	case runner.AttemptJudged:
		return t.write(t.attemptSpan(e))
	case runner.SleepPlanned:
		t.sleep(e)
	case runner.RunEnded:
		return t.write(t.callSpan(e))
	}
	return nil
}

// attemptSpan is that of a client that runs a program.
func (t *Trace) attemptSpan(e runner.Event) span {
	o, v := e.Verdict.Outcome, e.Verdict
	s := t.newSpan(t.Job.Trace.Attempt(e.Attempt), t.Job.Trace.Call, kindClient, t.attempt)
	s.Name, s.End = t.Job.Name, nanoseconds(t.attempt.Add(o.Duration)) // judging it may have taken a while since
	s.Attributes = []attribute{
		text("process.executable.name", filepath.Base(t.Job.Command[0])), whole("process.exit.code", o.Status),
		whole("retry.attempt", e.Attempt), text("retry.end", endNames[o.End]), text("retry.verdict", v.Decision.String()),
	}
	if v.Decision != policy.Success {
		s.Attributes = append(s.Attributes, text("error.type", errorType(o)))
		s.Status = spanStatus{statusError, v.Reason()}
	}
	return s
}

// errorType is a short text of few values, as the semantic conventions want it.
func errorType(o policy.Outcome) string {
	switch {
	case o.End == policy.Exited:
		return strconv.Itoa(o.Status)
	case o.Signal.Name != "":
		return o.Signal.Name
	}
	return endNames[o.End]
}

func (t *Trace) callSpan(e runner.Event) span {
	s := t.newSpan(t.Job.Trace.Call, t.Job.Trace.Parent, kindInternal, t.began)
	s.Name = "retry " + t.Job.Name
	s.Attributes = []attribute{
		text("retry.call", t.Job.Call), whole("retry.attempts", e.Result.Attempts), whole("process.exit.code", e.Result.Status),
	}
	s.Events, s.DroppedEvents = t.events, t.dropped
	if !e.Result.Success {
		s.Attributes = append(s.Attributes, text("error.type", e.Result.Cause.String()))
		s.Status = spanStatus{statusError, e.Result.Reason}
	}
	return s
}

func (t *Trace) newSpan(id, parent string, kind int, began time.Time) span {
	flags, _ := strconv.ParseUint(t.Job.Trace.Flags, 16, 8)
	return span{
		TraceID: t.Job.Trace.ID, SpanID: id, ParentSpanID: parent, Flags: flags, Kind: kind,
		Start: nanoseconds(began), End: nanoseconds(time.Now()),
	}
}

// sleep keeps an event of the call.
func (t *Trace) sleep(e runner.Event) {
	if len(t.events) == mostEvents {
		t.dropped++
		return
	}
	event := spanEvent{Time: nanoseconds(time.Now()), Name: "sleep", Attributes: []attribute{seconds("retry.sleep", e.Sleep)}}
	if e.Asked.Time > 0 {
		event.Attributes = append(event.Attributes, seconds("retry.hint", e.Asked.Time))
	}
	t.events = append(t.events, event)
}

func (t *Trace) write(s span) error {
	request := traceRequest{[1]resourceSpans{{
		resource{[]attribute{text("service.name", t.Service)}},
		[1]scopeSpans{{scope{"retry", t.Version}, [1]span{s}}},
	}}}
	line, err := json.Marshal(request)
	if err == nil {
		_, err = t.Writer.Write(append(line, '\n'))
	}
	return err
}

func nanoseconds(when time.Time) string { return strconv.FormatInt(when.UnixNano(), 10) }

func text(key, value string) attribute { return attribute{key, map[string]any{"stringValue": value}} }

// whole is an integer, which protocol buffers write as a string.
func whole(key string, value int) attribute {
	return attribute{key, map[string]any{"intValue": strconv.Itoa(value)}}
}

func seconds(key string, value time.Duration) attribute {
	return attribute{key, map[string]any{"doubleValue": value.Seconds()}}
}
