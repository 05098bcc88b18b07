package policy

import (
	"math/rand/v2"
	"time"
)

// Full sleeps U(0, d).
//
// Source: Marc Brooker, AWS Architecture Blog, 'Exponential Backoff and Jitter'.
type Full struct{}

func (Full) Sleep(s Step, rng *rand.Rand) time.Duration { return uniform(0, s.Delay, rng) }
func (Full) String() string                             { return "full" }

// Expect returns the mean d/2.
func (Full) Expect(s Step, _ Expectation) Expectation { return s.cappedUniform(0, s.Delay) }

func (Full) Mean() string { return "d/2" }
