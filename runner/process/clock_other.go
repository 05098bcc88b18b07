//go:build !linux

package process

import "time"

// clock measures time by Go's monotonic clock. If that stops while the system is suspended, so does the deadline.
type clock struct{ start time.Time }

func newClock() clock { return clock{time.Now()} }

func (c clock) elapsed() time.Duration { return time.Since(c.start) }

// after returns a channel that receives once d has passed. release stops the timer.
func (c clock) after(d time.Duration, _ bool) (over <-chan time.Time, release func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
