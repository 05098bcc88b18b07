package policy

import (
	"math"
	"time"
)

// Expectation is the range and the mean of a random sleep or point in time.
type Expectation struct {
	Least, Mean, Most time.Duration
	Drawn             bool // the mean is from simulation, not from a formula
}

// certain returns the expectation of a fixed duration.
func certain(d time.Duration) Expectation { return Expectation{Least: d, Mean: d, Most: d} }

// after returns the expectation of the end of a sleep that starts at time e.
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
	Elapsed Expectation // when the retry starts, including its own sleep; attempts take no time
}

// Forecast computes the first retries of a schedule, after a random stagger of less than stagger. Means are computed by
// each jitter's formula. Where there is none (decorrelated jitter at the cap), they are averages of seeded draws.
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

// forecastDraws is the number of draws for a mean without a formula. The standard error of the mean is then less than a
// hundredth of the sleep's standard deviation.
const forecastDraws = 20000

// drawMeans fills in the means without a formula.
func (s Schedule) drawMeans(plan []Planned, stagger time.Duration) {
	if len(plan) == 0 || !plan[len(plan)-1].Sleep.Drawn {
		return
	}
	const most = 200 // the mean no longer changes: from 1 ns it takes 108 retries to any cap
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

// Drawn returns the exact sleeps that a seed gives.
func (s Schedule) Drawn(retries int, seed uint64) []time.Duration {
	q := s.Start(NewRand(seed, SleepStream))
	sleeps := make([]time.Duration, retries)
	for i := range sleeps {
		sleeps[i] = q.Next()
	}
	return sleeps
}

// Steady returns the first retry, up to retry most, from which the nominal delay no longer changes, because it has reached
// the cap or is constant. found is false if there is none.
func (s Schedule) Steady(most int) (retry int, found bool) {
	last := (Step{Cap: s.Cap}).bound(s.Backoff.Delay(math.MaxInt))
	for n := 1; n <= most && last < forever; n++ {
		if (Step{Cap: s.Cap}).bound(s.Backoff.Delay(n)) == last {
			return n, true
		}
	}
	return 0, false
}

// cappedUniform returns the expectation of min(cap, U(low, high)). With w = high - low, the mean is low + w/2 if the cap is
// out of reach. Otherwise, with x = cap - low, a share x/w is uniform below the cap and the rest is at the cap, which
// gives low + x - x²/2w.
func (s Step) cappedUniform(low, high time.Duration) Expectation {
	e := Expectation{Least: s.bound(low), Most: s.bound(high)}
	width, x := float64(high-low), float64(e.Most-e.Least)
	e.Mean = add(e.Least, saturate(x-x*x/(2*width)))
	return e
}
