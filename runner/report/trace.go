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

// Trace reports the call and its attempts as spans in OTLP JSON, which OpenTelemetry's collector reads from a file or
// from a POST to /v1/traces. Each line is an ExportTraceServiceRequest with one span: that of an attempt when it has
// ended, and that of the call at the end. Attributes have the names of the semantic conventions if there is one. The
// arguments of the command are not included.
type Trace struct {
	Writer  io.Writer
	Job     *runner.Job
	Service string // the resource attribute service.name
	Version string // of retry

	began   time.Time // start of the call
	attempt time.Time // start of the current attempt
	events  []spanEvent
	dropped int
}

// mostEvents is how many sleeps a span holds at most. It is OpenTelemetry's default limit.
const mostEvents = 128

// The messages of opentelemetry-proto, trace/v1 and common/v1, with the fields that are used.
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

// The values of opentelemetry-proto's enumerations SpanKind and StatusCode that are used.
const (
	kindInternal = 1
	kindClient   = 3
	statusError  = 2
)

// Report writes a span when it ends, and keeps what later spans need.
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

// attemptSpan returns the span of an attempt. Its kind is CLIENT, as the semantic conventions require for the caller of
// a program.
func (t *Trace) attemptSpan(e runner.Event) span {
	o, v := e.Verdict.Outcome, e.Verdict
	s := t.newSpan(t.Job.Trace.Attempt(e.Attempt), t.Job.Trace.Call, kindClient, t.attempt)
	s.Name, s.End = t.Job.Name, nanoseconds(t.attempt.Add(o.Duration)) // judging it may have taken a while
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

// errorType returns a short text with few possible values, as the semantic conventions require.
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

// sleep adds an event to the span of the call.
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

// whole returns an integer attribute. The JSON mapping of protocol buffers writes 64-bit integers as strings.
func whole(key string, value int) attribute {
	return attribute{key, map[string]any{"intValue": strconv.Itoa(value)}}
}

func seconds(key string, value time.Duration) attribute {
	return attribute{key, map[string]any{"doubleValue": value.Seconds()}}
}
