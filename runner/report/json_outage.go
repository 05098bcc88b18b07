package report

import (
	"time"

	"retry/policy"
)

// outage collects what a result line says about failed attempts, so that this line alone describes the whole call. down
// and up count from the start of the first failed attempt.
type outage struct {
	at       time.Duration // the start of the current attempt, since the start of the run
	began    time.Duration // the start of the first failed attempt, since the start of the run
	up       time.Duration // the start of the first success after a failure
	over     bool          // there was such a success
	down     time.Duration // the start of the last failed attempt before up
	failed   time.Duration // the duration of all failed attempts together
	failures []failure
}

// failure counts the attempts that failed for one reason.
type failure struct {
	reason string
	count  int
}

// mostReasons is how many reasons are counted separately. otherReason stands for all others.
const (
	mostReasons = 8
	otherReason = "(other)"
)

func (o *outage) started(at time.Duration) { o.at = at }

// judged adds the verdict on the current attempt. It ignores an attempt that was ended by a signal to retry.
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
