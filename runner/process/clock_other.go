//go:build !linux

package process

import "time"

// clock measures time by systemTime, which on some systems goes on while they are suspended, as the deadline is meant to.
type clock struct{ start time.Duration }

func newClock() clock { return clock{systemTime()} }

func (c clock) elapsed() time.Duration { return systemTime() - c.start }

// after returns a channel that receives once d has passed. If suspended is true, time in which the system is suspended
// counts, as far as the clock does so. release stops the timer.
func (c clock) after(d time.Duration, suspended bool) (over <-chan time.Time, release func()) {
	if suspended && countsSuspension {
		return looking(d, systemTime)
	}
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
