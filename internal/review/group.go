package review

import "retry/runner"

// A Group is what is known of the calls of one label, or of all. Times are seconds.
type Group struct {
	Label string // empty for all

	Calls    int // that ended
	First    int // succeeded at the first attempt
	Later    int // succeeded after retries
	GivenUp  [runner.CauseCount]int
	Unended  int // calls whose end no line tells
	Attempts int // of the calls that ended

	Asleep         float64 // in all
	FailedAttempts int
	FailedTime     float64 // in them
	LostAttempts   int     // of calls that failed all the same
	LostTime       float64 // that these took, sleeps included

	AttemptsUntil Histogram // success, of the calls that succeeded
	TimeUntil     Histogram

	Outages        Outages // from the first failure to the first success
	OutageAttempts int     // of the calls that met them, up to their ends
	Late           float64 // the sum of how late their ends were noticed, if they lie in the middle of where they may be

	Reasons   map[string]*Reason
	Schedules map[string]int // that were used by calls with a failure, by how many
}

// A Reason is why attempts failed.
type Reason struct {
	Attempts int
	Calls    int // that ended, and had such attempts
	Mended   int // of which a later attempt succeeded
}

// Failed is how many calls failed in the end.
func (g *Group) Failed() (n int) {
	for _, calls := range g.GivenUp {
		n += calls
	}
	return n
}

// end counts a call that has ended.
func (g *Group) end(l *line) {
	elapsed := l.elapsed
	if elapsed < 0 {
		elapsed = max(0, l.ran) + max(0, l.slept)
	}
	g.Calls++
	g.Attempts += l.attempts
	g.Asleep += max(0, l.slept)
	if !l.success {
		g.GivenUp[l.causeOf()]++
		g.LostAttempts += l.attempts
		g.LostTime += elapsed
		return
	}
	if l.retried() {
		g.Later++
	} else {
		g.First++
	}
	g.AttemptsUntil.Add(float64(l.attempts))
	g.TimeUntil.Add(elapsed)
}

// outage counts how long a failure lasted: until some time from down to up, or for longer than down where up is negative.
func (g *Group) outage(down, up float64, attempts int) {
	g.OutageAttempts += attempts
	if up < 0 {
		g.Outages.Beyond(down)
		return
	}
	g.Outages.Between(down, up)
	g.Late += (up - down) / 2
}

// failed counts the attempts of a call that failed for a reason, and whether the call succeeded in the end.
func (g *Group) failed(reason string, attempts int, mended bool) {
	if g.Reasons == nil {
		g.Reasons = map[string]*Reason{}
	}
	r := g.Reasons[reason]
	if r == nil {
		r = &Reason{}
		g.Reasons[reason] = r
	}
	r.Attempts += attempts
	r.Calls++
	if mended {
		r.Mended++
	}
	g.FailedAttempts += attempts
}

// used counts the schedule of a call with a failure.
func (g *Group) used(schedule string) {
	if g.Schedules == nil {
		g.Schedules = map[string]int{}
	}
	g.Schedules[schedule]++
}
