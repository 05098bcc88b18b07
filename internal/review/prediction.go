package review

import (
	"math/rand/v2"
	"time"

	"retry/policy"
)

// A Proposal is a schedule with its limits, to be applied to the outages that were seen.
type Proposal struct {
	Schedule policy.Schedule
	Attempts int           // 0 for no limit
	Deadline time.Duration // 0 for none
	Attempt  time.Duration // the duration of a failed attempt
}

// A Prediction is what a proposal would have done. It assumes that the first attempt of each call comes at the beginning of the
// outage, and that an attempt succeeds if it starts after the end.
type Prediction struct {
	Outlived  float64 // the share of outages at whose end there was an attempt left
	Low, High float64 // the bounds of its band
	Late      float64 // seconds from the end of an outage to the attempt that noticed it, on average over the outages outlived
	Attempts  float64 // of a call, on average
	Reach     float64 // seconds from the first attempt to the start of the last, on average
	Unknown   float64 // how much greater the share may be, because attempts are left where the data end
}

const (
	mostDraws = 500 // for schedules with jitter
	mostSteps = 60_000
	mostTries = 20_000 // attempts of one call
)

// Predict applies the proposal to a curve.
func (c *Curve) Predict(p Proposal) Prediction {
	var sum Prediction
	draws, steps, late := 0, 0, 0.0
	source := newSource()
	for draws == 0 || p.Schedule.Jittered() && draws < mostDraws && steps < mostSteps {
		one := c.follow(p, source.start(p))
		steps += int(one.Attempts) + 1
		sum.Outlived += one.Outlived
		sum.Low += one.Low
		sum.High += one.High
		sum.Attempts += one.Attempts
		sum.Reach += one.Reach
		sum.Unknown += one.Unknown
		late += one.Late
		draws++
	}
	n := float64(draws)
	if sum.Outlived > 0 {
		sum.Late = late / sum.Outlived
	}
	sum.Outlived, sum.Low, sum.High = sum.Outlived/n, sum.Low/n, sum.High/n
	sum.Attempts, sum.Reach, sum.Unknown = sum.Attempts/n, sum.Reach/n, sum.Unknown/n
	return sum
}

// course follows a proposal through one outage.
type course struct {
	Proposal
	sequence *policy.Sequence
	refit    *rand.Rand
	at       time.Duration // when the last attempt started
	attempts int
}

// source returns the random source of courses. It is the same for all proposals, so that the comparison is fair.
type source struct{ sleeps, refits *rand.Rand }

func newSource() source {
	return source{policy.NewRand(0, policy.SleepStream), policy.NewRand(0, policy.DeadlineStream)}
}

// start begins a course.
func (s source) start(p Proposal) *course {
	return &course{Proposal: p, sequence: p.Schedule.Start(s.sleeps), refit: s.refits, attempts: 1}
}

// next advances to the next attempt, if there is one.
func (c *course) next() bool {
	if c.attempts == c.Attempts || c.attempts == mostTries {
		return false
	}
	sleep, failed := c.sequence.Next(), c.at+c.Attempt
	if c.Deadline > 0 {
		var ok bool
		if sleep, ok = policy.FitDeadline(sleep, c.Deadline-failed-c.Attempt, c.Schedule.Jittered(), c.refit); !ok {
			return false
		}
	}
	const ages = 1 << 62
	c.at = min(failed, ages-sleep) + sleep
	c.attempts++
	return true
}

// last advances to the last attempt, or to the thousandth, and returns when it starts. It returns 0 if there is no limit.
func (c *course) last() time.Duration {
	if c.Attempts == 0 && c.Deadline == 0 {
		return 0
	}
	for c.attempts < 1000 && c.next() {
	}
	return c.at
}

// follow adds up one course. For Late, that is the integral over the outages that were outlived, not yet their mean.
func (c *Curve) follow(p Proposal, course *course) (sum Prediction) {
	sum.Attempts = 1
	before, outlived := 0.0, 0.0
	for 1-outlived > rounding && course.next() {
		if before >= c.Known {
			break
		}
		at := course.at.Seconds()
		sum.Attempts += 1 - outlived
		sum.Late += c.Area(at) - c.Area(before) - outlived*(at-before)
		before, outlived = at, c.Outlived(at)
	}
	sum.Outlived, sum.Reach = outlived, course.last().Seconds()
	if before >= c.Known {
		sum.Unknown = 1 - outlived
	}
	sum.Low, sum.High = c.Band(before)
	return sum
}

// LeastDeadline returns the shortest deadline, rounded up to three figures, with which the proposal without a limit on attempts
// outlives the given share of outages. ok is false if the data can't tell.
func (c *Curve) LeastDeadline(p Proposal, part float64) (deadline time.Duration, ok bool) {
	ended, ok := c.Quantile(part)
	if !ok {
		return 0, false
	}
	p.Attempts = 0
	enough := func(d time.Duration) bool {
		p.Deadline = d
		return c.Predict(p).Outlived >= part
	}
	low, high := time.Duration(0), duration(ended)+p.Attempt+time.Millisecond
	for doubled := 0; !enough(high); doubled++ {
		if doubled == 6 || high > century {
			return 0, false
		}
		low, high = high, 2*high
	}
	for high-low > max(high/500, time.Microsecond) {
		if middle := low + (high-low)/2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return roundUp(high), true
}

const century = 100 * 365 * 24 * time.Hour

// duration converts seconds to a duration of at most a century.
func duration(seconds float64) time.Duration {
	return time.Duration(min(max(0, seconds)*float64(time.Second), float64(century)))
}

// roundUp rounds a time up to three figures.
func roundUp(d time.Duration) time.Duration {
	unit := time.Millisecond
	for d/1000 >= unit {
		unit *= 10
	}
	return (d + unit - 1) / unit * unit
}

// LeastAttempts returns the smallest number of attempts with which the proposal without a deadline outlives the given share of
// outages. ok is false if the data can't tell.
func (c *Curve) LeastAttempts(p Proposal, part float64) (attempts int, ok bool) {
	if _, ok := c.Quantile(part); !ok {
		return 0, false
	}
	p.Attempts, p.Deadline = 0, 0
	source := newSource()
	courses := []*course{source.start(p)}
	for p.Schedule.Jittered() && len(courses) < mostDraws {
		courses = append(courses, source.start(p))
	}
	for n := 2; n*len(courses) < mostTries*mostDraws/10; n++ {
		sum := 0.0
		for _, course := range courses {
			course.next()
			sum += c.Outlived(course.at.Seconds())
		}
		if sum >= (part-rounding)*float64(len(courses)) {
			return n, true
		}
	}
	return 0, false
}
