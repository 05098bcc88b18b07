package report

import (
	"io"
	"time"

	"retry/policy"
	"retry/runner"
)

// reportVersion is the version of the schema of report lines. New fields may be added under the same version, but no
// field is removed or changes its meaning.
const reportVersion = 1

// JSON reports events as JSON Lines, each by a single write. Durations are in seconds.
type JSON struct {
	Writer io.Writer
	Job    *runner.Job
	Argv   bool // report the command's arguments, which may contain secrets

	began  time.Time
	ran    time.Duration
	slept  time.Duration
	outage outage
}

var endNames = [...]string{
	policy.Exited: "exit", policy.Killed: "signal", policy.TimedOut: "timeout", policy.Idle: "idle",
	policy.NotStarted: "not-started", policy.Interrupted: "interrupted", policy.DeadlinePassed: "deadline",
}

// Report writes the event's line if it has one.
func (r *JSON) Report(e runner.Event) error {
	switch e.Kind {
	case runner.RunStarted:
		return r.start()
	case runner.AttemptStarted:
		r.began = time.Now()
		r.outage.started(e.Elapsed)
	case runner.AttemptJudged:
		return r.attempt(e)
	case runner.SleepPlanned:
		return r.sleep(e)
	case runner.RunEnded:
		return r.result(e.Result)
	}
	return nil
}

func (r *JSON) start() error {
	l := r.line("start")
	l.count("max_attempts", r.Job.MaxAttempts) // 0 for no limit
	if r.Job.Timeout > 0 {
		l.seconds("timeout", r.Job.Timeout) // of an attempt
	}
	if r.Job.Deadline > 0 {
		l.seconds("deadline", r.Job.Deadline) // of the whole run
	}
	if r.Argv {
		l.words("argv", r.Job.Command)
	}
	return r.write(l)
}

func (r *JSON) attempt(e runner.Event) error {
	o := e.Verdict.Outcome
	r.ran += o.Duration
	reason := e.Verdict.Reason()
	r.outage.judged(e.Verdict, reason)
	l := r.line("attempt")
	if trace := r.Job.Trace; trace != nil {
		l.word("span_id", trace.Attempt(e.Attempt))
	}
	l.count("attempt", e.Attempt) // from 1
	l.moment("start", r.began)
	l.seconds("duration", o.Duration)
	l.count("status", o.Status) // as a shell shows it
	l.word("end", endNames[o.End])
	l.optional("signal", o.Signal.Name)            // the signal that killed the command, or that was sent to retry
	l.word("verdict", e.Verdict.Decision.String()) // success, retry or stop
	l.word("reason", reason)
	l.optional("rule", e.Verdict.Rule()) // the option and rule that decided
	if o.Diagnosis != nil && o.Diagnosis.HTTP != 0 {
		l.count("http", o.Diagnosis.HTTP) // the status of the last response in the output
	}
	return r.write(l)
}

func (r *JSON) sleep(e runner.Event) error {
	r.slept += e.Sleep
	l := r.line("sleep")
	l.count("attempt", e.Attempt) // the attempt before the sleep, 0 before the first
	l.seconds("planned", e.Sleep)
	if hint := e.Asked.Time; hint > 0 {
		l.seconds("hint", hint) // what the server asked for
	} else {
		l.null("hint")
	}
	return r.write(l)
}

func (r *JSON) result(result runner.Result) error {
	l := r.line("result")
	l.flag("success", result.Success)
	l.count("status", result.Status) // retry's own, 128+n if it ends itself by signal n
	l.optional("signal", result.Signal.Name)
	l.optional("reason", result.Reason)
	l.optional("cause", result.Cause.String()) // why the run ended without success
	l.count("attempts", result.Attempts)
	l.seconds("ran", r.ran)
	l.seconds("slept", r.slept) // as planned
	l.seconds("elapsed", result.Elapsed)
	r.outage.write(l)
	l.word("schedule", scheduleOptions(r.Job))
	return r.write(l)
}

// line begins a line with the fields that all lines have.
func (r *JSON) line(event string) *line {
	l := &line{make([]byte, 0, 512)}
	l.count("v", reportVersion)
	l.word("call", r.Job.Call) // the same in all lines of one call
	l.word("label", r.Job.Name)
	if r.Job.Trace != nil {
		l.word("trace_id", r.Job.Trace.ID)
		if event != "attempt" {
			l.word("span_id", r.Job.Trace.Call)
		}
	}
	l.moment("time", time.Now())
	l.word("event", event)
	return l
}

func (r *JSON) write(l *line) error {
	_, err := r.Writer.Write(append(l.text, "}\n"...))
	return err
}
