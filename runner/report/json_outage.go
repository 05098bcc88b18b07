package report

import (
	"time"

	"retry/policy"
)

// outage collects what a result line says about the attempts that failed, so that one line describes the whole call.
// Times count from the start of the first of them.
type outage struct {
	at       time.Duration // the current attempt's start, since the start of the run
	began    time.Duration // the first failed attempt's
	down     time.Duration // the last start of an attempt that failed
	up       time.Duration // the start of the first attempt that succeeded after it
	over     bool          // there was one
	failed   time.Duration // all failed attempts together
	failures []failure
}

// failure counts the attempts that failed for one reason.
type failure struct {
	reason string
	count  int
}

// mostReasons is how many reasons are told apart. otherReason stands for all others.
const (
	mostReasons = 8
	otherReason = "(other)"
)

func (o *outage) started(at time.Duration) { o.at = at }

// judged takes the verdict on the current attempt. It ignores an attempt that a signal to retry has ended.
func (o *outage) judged(v policy.Verdict, reason string) {
	switch {
	case v.Decision == policy.Success:
		if len(o.failures) > 0 && !o.over {
			o.up, o.over = o.at-o.began, true
		}
	case v.Outcome.End != policy.Interrupted:
		if len(o.failures) == 0 {
			o.began = o.at
		}
		if !o.over {
			o.down = o.at - o.began
		}
		o.failed += v.Outcome.Duration
		o.count(reason)
	}
}

func (o *outage) count(reason string) {
	for i := range o.failures {
		if o.failures[i].reason == reason || i == mostReasons {
			o.failures[i].count++
			return
		}
	}
	if len(o.failures) == mostReasons {
		reason = otherReason
	}
	o.failures = append(o.failures, failure{reason, 1})
}

// write adds the fields to a result line.
func (o *outage) write(l *line) {
	if len(o.failures) > 0 {
		l.seconds("failed", o.failed)
		l.seconds("down", o.down)
	}
	if o.over {
		l.seconds("up", o.up)
	}
	l.failures("failures", o.failures)
}
