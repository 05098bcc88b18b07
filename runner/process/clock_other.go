//go:build !linux

package process

import "time"

// clock measures with Go's monotonic clock. Where that stops while the system is suspended, so does the deadline.
type clock struct{ start time.Time }

func newClock() clock { return clock{time.Now()} }

func (c clock) elapsed() time.Duration { return time.Since(c.start) }

// after sends when d has passed. release frees the timer.
func (c clock) after(d time.Duration, _ bool) (over <-chan time.Time, release func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
