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
