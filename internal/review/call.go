package review

import "math"

// A call is what is known about a call until all its lines have been read, in whatever order they come. The individual lines are
// only needed for calls from before result lines described all attempts; for other calls they show which ones have no end.
type call struct {
	key   uint64
	group *Group

	started  bool // the start has been read
	ended    bool // the result has been read
	counted  bool // the result described all attempts
	success  bool
	attempts int // according to the result
	read     int // attempts whose lines have been read

	failures   []named // by reason
	failedTime float64 // of the failed attempts
	schedule   string

	// Wall-clock times in nanoseconds since 1970, or 0 if unknown: the first and the last attempt, the first and the last failed
	// one, and the first successful one.
	first, last, firstFailed, lastFailed, succeeded int64

	lastDuration float64 // of the last attempt
	ranAndSlept  float64 // according to the result; negative if it doesn't say
}

// named is the number of attempts that failed for a reason.
type named struct {
	reason string
	count  int
}

// mostKinds limits the number of reasons for one call.
const mostKinds = 16

// attempt adds the line of an attempt.
func (c *call) attempt(l *line, reason string) {
	c.read++
	at, ok := moment(l.start)
	if !ok {
		at = 0
	}
	if c.first == 0 || at < c.first {
		c.first = at
	}
	if at >= c.last {
		c.last, c.lastDuration = at, l.duration
	}
	if string(l.verdict) == "success" {
		if c.succeeded == 0 || at < c.succeeded {
			c.succeeded = at
		}
		return
	}
	if string(l.end) == "interrupted" {
		return // interrupted by a signal to retry, which says nothing about the command
	}
	if c.firstFailed == 0 || at < c.firstFailed {
		c.firstFailed = at
	}
	c.lastFailed = max(c.lastFailed, at)
	c.failedTime += max(0, l.duration)
	for i := range c.failures {
		if c.failures[i].reason == reason {
			c.failures[i].count++
			return
		}
	}
	if len(c.failures) < mostKinds {
		c.failures = append(c.failures, named{reason, 1})
	}
}

// failed returns the number of failed attempts.
func (c *call) failed() (n int) {
	for _, f := range c.failures {
		n += f.count
	}
	return n
}

// complete reports whether the call has no further lines.
func (c *call) complete() bool { return c.started && c.ended && c.read >= c.attempts }

// outage returns the wall-clock times, after the call's first failure, between which its first success was. up is negative if
// there was no success, and ok is false if no attempt failed before it.
func (c *call) outage() (down, up float64, ok bool) {
	const second = 1e9
	switch {
	case c.firstFailed == 0 || c.succeeded != 0 && c.succeeded < c.firstFailed:
		return 0, 0, false
	case c.succeeded == 0:
		return float64(c.lastFailed-c.firstFailed) / second, -1, true
	case c.lastFailed < c.succeeded:
		down = float64(c.lastFailed-c.firstFailed) / second
	}
	return down, float64(c.succeeded-c.firstFailed) / second, true
}

// steady reports whether the clock agrees with the times for which the call says it ran and slept. It doesn't if the clock was
// set or the machine suspended in the meantime, or if a sleep was cut short.
func (c *call) steady() bool {
	const slack, part = 2, 0.05
	if c.ranAndSlept < 0 || c.first == 0 {
		return false
	}
	clock, sum := float64(c.last-c.first)/1e9, c.ranAndSlept-c.lastDuration
	return math.Abs(clock-sum) <= slack+part*sum
}
