package policy

import (
	"math/rand/v2"
	"time"
)

// Additive sleeps min(cap, d + U(0, A)); A is its value.
//
// Source: Google Cloud, 'Truncated exponential backoff': 1 s, 2 s, 4 s plus a fresh random number of milliseconds up
// to 1000, to a maximum of 32 or 64 s.
type Additive time.Duration

func (a Additive) Sleep(s Step, rng *rand.Rand) time.Duration {
	return s.bound(add(s.Delay, uniform(0, time.Duration(a), rng)))
}

func (a Additive) String() string { return "additive=" + time.Duration(a).String() }

// Expect returns the mean d + A/2 if the cap is out of reach.
func (a Additive) Expect(s Step, _ Expectation) Expectation {
	return s.cappedUniform(s.Delay, add(s.Delay, time.Duration(a)))
}

func (Additive) Mean() string { return "d + A/2, lower near the cap" }
