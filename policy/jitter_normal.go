package policy

import (
	"math"
	"math/rand/v2"
	"time"
)

// Normal sleeps d + N(0, S·d), at least 0; S is its value. The cap limits d, not the sum.
//
// Source: Smirnov, 'Exponential Backoff, or how not to bring the server down'. That program also computes each delay from
// the previous noisy sleep, which gets stuck at zero for S of 0.5 and more; this doesn't.
type Normal float64

func (n Normal) Sleep(s Step, rng *rand.Rand) time.Duration {
	d := float64(s.Delay)
	// The conversions prevent a fused multiply-add, which would give different bits on some processors.
	return saturate(d + float64(rng.NormFloat64()*float64(float64(n)*d)))
}

func (n Normal) String() string { return "normal=" + formatRatio(float64(n)) }

// normalBounds is the distance of the expected bounds from the mean in standard deviations. A normal distribution has no
// bounds; one draw in sixteen thousand is outside of these.
const normalBounds = 4

// Expect returns the mean of max(0, d + N(0, S·d)): d·(Φ(1/S) + S·φ(1/S)), where φ and Φ are the density and the
// distribution function of the standard normal distribution.
func (n Normal) Expect(s Step, _ Expectation) Expectation {
	sigma := float64(n)
	density := math.Exp(-1/(2*sigma*sigma)) / math.Sqrt(2*math.Pi)
	below := math.Erfc(-1/(sigma*math.Sqrt2)) / 2
	return Expectation{
		Least: scale(s.Delay, max(0, 1-normalBounds*sigma)),
		Mean:  scale(s.Delay, below+sigma*density),
		Most:  scale(s.Delay, 1+normalBounds*sigma),
	}
}

func (Normal) Mean() string { return "d·(Φ(1/S) + S·φ(1/S))" }
