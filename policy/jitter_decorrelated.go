package policy

import (
	"math/rand/v2"
	"time"
)

// Decorrelated sleeps min(cap, U(base, 3·previous)). At first, previous is base.
//
// Source: Marc Brooker, AWS Architecture Blog, 'Exponential Backoff and Jitter'.
type Decorrelated struct{}

func (Decorrelated) Sleep(s Step, rng *rand.Rand) time.Duration {
	return s.bound(uniform(s.Base, scale(s.Previous, 3), rng))
}

func (Decorrelated) String() string { return "decorrelated" }

// Expect returns the mean (base + 3·E[previous])/2 while the cap is out of reach, by the law of total expectation. From
// then on there is no simple formula.
func (Decorrelated) Expect(s Step, previous Expectation) Expectation {
	high := scale(previous.Most, 3)
	return Expectation{
		Least: s.bound(s.Base),
		Mean:  add(s.Base/2, scale(previous.Mean, 1.5)),
		Most:  s.bound(high),
		Drawn: previous.Drawn || high > s.bound(high),
	}
}

func (Decorrelated) Mean() string { return "(base + 3·mean of the previous)/2, until the cap" }
