package policy

import (
	"math"
	"time"
)

// Expectation is what is known of a sleep, or of a time, before it is drawn.
type Expectation struct {
	Least, Mean, Most time.Duration
	Drawn             bool // the mean comes from draws, not from a formula
}

// certain is the expectation of something that is not random.
func certain(d time.Duration) Expectation { return Expectation{Least: d, Mean: d, Most: d} }

// after is the expectation of a time e after this one.
func (e Expectation) after(sleep Expectation) Expectation {
	return Expectation{
		Least: add(e.Least, sleep.Least),
		Mean:  add(e.Mean, sleep.Mean),
		Most:  add(e.Most, sleep.Most),
		Drawn: e.Drawn || sleep.Drawn,
	}
}

// Planned is one retry of a forecast.
type Planned struct {
	Retry   int // from 1
	Sleep   Expectation
	Elapsed Expectation // when the retry starts, its own sleep included and the attempts taking no time
}

// Forecast computes the first retries of a schedule, after a stagger of up to stagger. It is the means of the formulas
// beside each jitter, and where there is no formula (the decorrelated jitter once the cap bounds it) of seeded draws.
func (s Schedule) Forecast(retries int, stagger time.Duration) []Planned {
	plan := make([]Planned, 0, min(retries, 1<<16))
	step := Step{Base: s.Backoff.Delay(1), Cap: s.Cap}
	previous, elapsed := certain(step.Base), Expectation{Mean: stagger / 2, Most: stagger}
	for n := 1; n <= retries; n++ {
		step.Delay = step.bound(s.Backoff.Delay(n))
		sleep := s.Jitter.Expect(step, previous)
		elapsed = elapsed.after(sleep)
		plan = append(plan, Planned{n, sleep, elapsed})
		previous = sleep
	}
	s.drawMeans(plan, stagger)
	return plan
}

// forecastDraws is how many times a schedule is followed for a mean that has no formula. The mean's standard error is
// then below a hundredth of the sleep's standard deviation.
const forecastDraws = 20000

// drawMeans fills in the means that have no formula.
func (s Schedule) drawMeans(plan []Planned, stagger time.Duration) {
	if len(plan) == 0 || !plan[len(plan)-1].Sleep.Drawn {
		return
	}
	const most = 1000 // later retries have the mean of the last of these
	sums := make([]float64, min(len(plan), most))
	for draw := range forecastDraws {
		q := s.Start(NewRand(uint64(draw), SleepStream))
		for i := range sums {
			sums[i] += float64(q.Next())
		}
	}
	mean := stagger / 2
	for i := range plan {
		if p := &plan[i]; p.Sleep.Drawn {
			p.Sleep.Mean = saturate(sums[min(i, len(sums)-1)] / forecastDraws)
		}
		mean = add(mean, plan[i].Sleep.Mean)
		plan[i].Elapsed.Mean = mean
	}
}

// Drawn are the very sleeps that a seed gives.
func (s Schedule) Drawn(retries int, seed uint64) []time.Duration {
	q := s.Start(NewRand(seed, SleepStream))
	sleeps := make([]time.Duration, retries)
	for i := range sleeps {
		sleeps[i] = q.Next()
	}
	return sleeps
}

// Steady finds the retry from which on the nominal delay stays what it is, at the cap or because it is constant, looking
// at the first most of them. found is false where it goes on changing.
func (s Schedule) Steady(most int) (retry int, found bool) {
	last := (Step{Cap: s.Cap}).bound(s.Backoff.Delay(math.MaxInt))
	for n := 1; n <= most && last < forever; n++ {
		if (Step{Cap: s.Cap}).bound(s.Backoff.Delay(n)) == last {
			return n, true
		}
	}
	return 0, false
}

// cappedUniform is the mean of min(cap, U(low, high)): low + w/2 for the width w where the cap is out of reach, and
// otherwise, with x = cap - low, the part below the cap at its middle and the rest at the cap: low + x - x²/2w.
func (s Step) cappedUniform(low, high time.Duration) Expectation {
	e := Expectation{Least: s.bound(low), Most: s.bound(high)}
	width, x := float64(high-low), float64(e.Most-low)
	switch {
	case high <= low || e.Most <= low:
		e.Mean = e.Least
	default:
		e.Mean = add(low, saturate(x-x*x/(2*width)))
	}
	return e
}
