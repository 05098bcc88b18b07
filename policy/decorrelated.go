package policy

import (
	"math/rand/v2"
	"time"
)

// Decorrelated sleeps min(cap, U(base, 3·previous)), where previous is base at first.
//
// Source: Marc Brooker, AWS Architecture Blog, 'Exponential Backoff and Jitter'.
type Decorrelated struct{}

func (Decorrelated) Sleep(s Step, rng *rand.Rand) time.Duration {
	return s.bound(uniform(s.Base, scale(s.Previous, 3), rng))
}

func (Decorrelated) String() string { return "decorrelated" }
