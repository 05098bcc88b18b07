package policy

import (
	"math/rand/v2"
	"time"
)

// Normal sleeps d + N(0, S·d), never below 0, where S is its value. The cap bounds d, not the noise.
//
// Source: Smirnov, 'Exponential Backoff, or how not to bring the server down'. That program also feeds the noisy sleep
// back into the next step, which gets stuck at zero for S of 0.5 and more; this doesn't.
type Normal float64

func (n Normal) Sleep(s Step, rng *rand.Rand) time.Duration {
	d := float64(s.Delay)
	// The conversions forbid a fused multiply-add, which would give other bits on other processors.
	return saturate(d + float64(rng.NormFloat64()*float64(float64(n)*d)))
}

func (n Normal) String() string { return "normal=" + formatRatio(float64(n)) }
