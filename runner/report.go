package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"retry/policy"
)

// reportVersion is the version of the schema of report lines. A field may be added under the same version; none
// changes its meaning or goes.
const reportVersion = 1

// Report writes events as JSON Lines, each by one write. Durations are seconds.
type Report struct {
	Writer io.Writer
	Job    *Job
	Argv   bool // the command's arguments too, which may hold secrets

	call  string // the same in all lines of one call
	began time.Time
	ran   time.Duration
	slept time.Duration
}

// reportLine is what every line has.
type reportLine struct {
	Version int       `json:"v"`
	Call    string    `json:"call"`
	Label   string    `json:"label"`
	Time    time.Time `json:"time"`
	Event   string    `json:"event"` // start, attempt, sleep or result
}

type startLine struct {
	reportLine
	MaxAttempts int      `json:"max_attempts"`       // 0 for no limit
	Timeout     float64  `json:"timeout,omitempty"`  // of an attempt
	Deadline    float64  `json:"deadline,omitempty"` // of everything
	Argv        []string `json:"argv,omitempty"`     // with --report-argv
}

type attemptLine struct {
	reportLine
	Attempt  int       `json:"attempt"` // from 1
	Start    time.Time `json:"start"`
	Duration float64   `json:"duration"`
	Status   int       `json:"status"`           // as a shell shows it
	End      string    `json:"end"`              // exit, signal, timeout, idle, not-started, interrupted or deadline
	Signal   string    `json:"signal,omitempty"` // that killed the command, or that retry was sent
	Verdict  string    `json:"verdict"`          // success, retry or stop
	Reason   string    `json:"reason"`
	Rule     string    `json:"rule,omitempty"` // the option and rule that decided
	HTTP     int       `json:"http,omitempty"` // the status of the last response, where it was listened for
}

type sleepLine struct {
	reportLine
	Attempt int      `json:"attempt"` // the one before, 0 before the first
	Planned float64  `json:"planned"`
	Hint    *float64 `json:"hint"` // what the server asked for
}

type resultLine struct {
	reportLine
	Success  bool    `json:"success"`
	Status   int     `json:"status"` // retry's own, 128+n where it ends itself by signal n
	Signal   string  `json:"signal,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Attempts int     `json:"attempts"`
	Ran      float64 `json:"ran"`
	Slept    float64 `json:"slept"` // as planned
}

var endNames = [...]string{
	policy.Exited: "exit", policy.Killed: "signal", policy.TimedOut: "timeout", policy.Idle: "idle",
	policy.NotStarted: "not-started", policy.Interrupted: "interrupted", policy.DeadlinePassed: "deadline",
}

// Report writes the event's line, if it has one.
func (r *Report) Report(e Event) error {
	switch e.Kind {
	case RunStarted:
		line := startLine{
			MaxAttempts: r.Job.MaxAttempts,
			Timeout:     r.Job.Timeout.Seconds(),
			Deadline:    r.Job.Deadline.Seconds(),
		}
		if r.Argv {
			line.Argv = r.Job.Command
		}
		line.reportLine = r.head("start")
		return r.write(line)
	case AttemptStarted:
		r.began = time.Now()
	case AttemptJudged:
		return r.attempt(e)
	case SleepPlanned:
		r.slept += e.Sleep
		line := sleepLine{reportLine: r.head("sleep"), Attempt: e.Attempt, Planned: e.Sleep.Seconds()}
		if hint := e.Asked.time.Seconds(); hint > 0 {
			line.Hint = &hint
		}
		return r.write(line)
	case RunEnded:
		return r.write(resultLine{
			reportLine: r.head("result"),
			Success:    e.Result.Success,
			Status:     e.Result.Status,
			Signal:     e.Result.Signal.Name,
			Reason:     e.Result.Reason,
			Attempts:   e.Result.Attempts,
			Ran:        r.ran.Seconds(),
			Slept:      r.slept.Seconds(),
		})
	}
	return nil
}

func (r *Report) attempt(e Event) error {
	o := e.Verdict.Outcome
	r.ran += o.Duration
	status := 0
	if o.Heard != nil {
		status = o.Heard.HTTP
	}
	return r.write(attemptLine{
		reportLine: r.head("attempt"),
		HTTP:       status,
		Attempt:    e.Attempt,
		Start:      r.began,
		Duration:   o.Duration.Seconds(),
		Status:     o.Status,
		End:        endNames[o.End],
		Signal:     o.Signal.Name,
		Verdict:    e.Verdict.Decision.String(),
		Reason:     e.Verdict.Reason(),
		Rule:       e.Verdict.Rule(),
	})
}

func (r *Report) head(event string) reportLine {
	if r.call == "" {
		r.call = fmt.Sprintf("%016x", rand.Uint64())
	}
	return reportLine{Version: reportVersion, Call: r.call, Label: r.Job.Name, Time: time.Now(), Event: event}
}

func (r *Report) write(line any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = r.Writer.Write(append(text, '\n'))
	}
	return err
}
