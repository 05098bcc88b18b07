package policy

import (
	"math"
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

// normalBounds is how many standard deviations from the mean the least and the greatest expected sleep are: a normal
// distribution has no bounds, and one in sixteen thousand draws lies beyond these.
const normalBounds = 4

// Expect has the mean of a normal distribution cut off at 0, d·(Φ(1/S) + S·φ(1/S)), where φ and Φ are the density and
// the distribution function of the standard normal distribution.
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
