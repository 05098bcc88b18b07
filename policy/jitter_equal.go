package policy

import (
	"math/rand/v2"
	"time"
)

// Equal sleeps d/2 + U(0, d/2).
//
// Source: Marc Brooker, AWS Architecture Blog, 'Exponential Backoff and Jitter'.
type Equal struct{}

func (Equal) Sleep(s Step, rng *rand.Rand) time.Duration { return uniform(s.Delay/2, s.Delay, rng) }
func (Equal) String() string                             { return "equal" }

// Expect returns the mean 3d/4.
func (Equal) Expect(s Step, _ Expectation) Expectation { return s.cappedUniform(s.Delay/2, s.Delay) }

func (Equal) Mean() string { return "3d/4" }
