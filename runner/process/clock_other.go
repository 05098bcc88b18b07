//go:build !linux

package process

import "time"

// clock measures time by systemTime, which on some systems keeps running while they are suspended, as the deadline requires.
type clock struct{ start time.Duration }

func newClock() clock { return clock{systemTime()} }

func (c clock) elapsed() time.Duration { return systemTime() - c.start }

// after returns a channel that receives once d has passed. If suspended is true, time during which the system is
// suspended counts, where systemTime counts it. release stops the timer.
func (c clock) after(d time.Duration, suspended bool) (over <-chan time.Time, release func()) {
	if suspended && countsSuspension {
		return looking(d, systemTime)
	}
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
