package policy

import (
	"math/rand/v2"
	"time"
)

// Proportional sleeps min(cap, d·(1 + U(-R, R))); R is its value, above 0 and at most 1.
//
// Source: the randomization factor of github.com/cenkalti/backoff.
type Proportional float64

func (p Proportional) Sleep(s Step, rng *rand.Rand) time.Duration {
	r := min(s.Delay, scale(s.Delay, float64(p)))
	return s.bound(uniform(s.Delay-r, add(s.Delay, r), rng))
}

func (p Proportional) String() string { return "proportional=" + formatRatio(float64(p)) }

// Expect returns the mean d if the cap is out of reach.
func (p Proportional) Expect(s Step, _ Expectation) Expectation {
	r := min(s.Delay, scale(s.Delay, float64(p)))
	return s.cappedUniform(s.Delay-r, add(s.Delay, r))
}

func (Proportional) Mean() string { return "d, lower near the cap" }
