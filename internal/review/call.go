package review

import "math"

// A call is what is known of a call until all its lines have been read, in whatever order they come. Only the lines of a call
// that ended before result lines told of all attempts are needed; for others this finds the calls without an end.
type call struct {
	key   uint64
	group *Group

	started  bool // the start has been read
	ended    bool // the result has
	counted  bool // and was enough
	success  bool
	attempts int // as the result says
	read     int // attempts whose lines have been read

	failures   []named // by reason
	failedTime float64 // of attempts
	schedule   string

	// By the clock, in nanoseconds since 1970, 0 for none: the first and the last attempt, the first and the last that
	// failed, and the first that succeeded.
	first, last, firstFailed, lastFailed, succeeded int64

	lastDuration float64 // of the last attempt
	ranAndSlept  float64 // as the result says; below 0 where it does not
}

// named is how many attempts failed for a reason.
type named struct {
	reason string
	count  int
}

// mostKinds bounds the reasons of one call.
const mostKinds = 16

// attempt takes an attempt's line.
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
		return // by a signal to retry, which tells nothing
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

// failed is how many attempts failed.
func (c *call) failed() (n int) {
	for _, f := range c.failures {
		n += f.count
	}
	return n
}

// complete reports whether no other line of the call can come.
func (c *call) complete() bool { return c.started && c.ended && c.read >= c.attempts }

// outage is between which times after its first failure the call's first success was, by the clock. up is negative where there
// was none, and ok is false where no attempt failed before it.
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

// steady reports whether the clock agrees with the times that the call says it ran and slept. It does not where the clock was
// set or the machine suspended meanwhile, or a sleep cut short.
func (c *call) steady() bool {
	const slack, part = 2, 0.05
	if c.ranAndSlept < 0 || c.first == 0 {
		return false
	}
	clock, sum := float64(c.last-c.first)/1e9, c.ranAndSlept-c.lastDuration
	return math.Abs(clock-sum) <= slack+part*sum
}
