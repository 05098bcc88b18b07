package review

import "retry/runner"

// A Group is what is known about the calls of one label, or of all labels. Times are seconds.
type Group struct {
	Label string // empty for all labels

	Calls    int // calls that ended
	First    int // succeeded at the first attempt
	Later    int // succeeded after retries
	GivenUp  [runner.CauseCount]int
	Unended  int // calls for which no line reports an end
	Attempts int // of the calls that ended

	Asleep         float64 // in total
	FailedAttempts int
	FailedTime     float64 // in failed attempts
	LostAttempts   int     // of calls that failed in the end
	LostTime       float64 // of these calls, including sleeps

	AttemptsUntil Histogram // until success, of the calls that succeeded
	TimeUntil     Histogram

	Outages        Outages // from the first failure to the first success
	OutageAttempts int     // of the calls that met outages, up to their ends
	Late           float64 // the sum of how late the ends were noticed, assuming that each was in the middle of its interval

	Reasons   map[string]*Reason
	Schedules map[string]int // the schedules of calls with a failure, and how many calls used each
}

// A Reason is why attempts failed.
type Reason struct {
	Attempts int
	Calls    int // calls that ended and had such attempts
	Mended   int // those of them in which a later attempt succeeded
}

// Failed returns the number of calls that failed in the end.
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

// outage counts how long a failure lasted: between down and up, or longer than down if up is negative.
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
