package policy

import (
	"math"
	"time"
)

// Geometric is an exponential schedule without jitter and before its cap, of which the questions that people tune by
// have answers in closed form. a is Base, r is Factor; attempts take no time.
//
// With a = 1 s and r = 2, 1023 s in: the tenth retry starts, after a sleep of 512 s, and the next sleep is 1024 s.
type Geometric struct {
	Base   time.Duration
	Factor float64
}

// Elapsed is when retry n starts: T_n = a·(r^n - 1)/(r - 1), and a·n where r is 1.
func (g Geometric) Elapsed(n float64) time.Duration {
	if g.Factor == 1 {
		return saturate(float64(g.Base) * n)
	}
	return saturate(float64(g.Base) * math.Expm1(n*math.Log(g.Factor)) / (g.Factor - 1))
}

// Next is the sleep that follows a retry started at t: a + (r - 1)·t.
func (g Geometric) Next(t time.Duration) time.Duration {
	return saturate(float64(g.Base) + (g.Factor-1)*float64(t))
}

// Previous is the sleep before it: Next/r.
func (g Geometric) Previous(t time.Duration) time.Duration {
	return saturate(float64(g.Next(t)) / g.Factor)
}

// Retries is how many retries have been started by t: log_r(1 + (r - 1)·t/a), and t/a where r is 1. It is infinite for
// a Base of 0, and from the time on towards which the starts of a Factor below 1 converge.
func (g Geometric) Retries(t time.Duration) float64 {
	ratio := float64(t) / float64(g.Base)
	if g.Factor == 1 {
		return ratio
	}
	if grown := (g.Factor - 1) * ratio; grown > -1 {
		return math.Log1p(grown) / math.Log(g.Factor)
	}
	return math.Inf(1)
}

// Aimed is the schedule with the same base whose sleep at t is about d: r = 1 + (d - a)/t.
func (g Geometric) Aimed(d, t time.Duration) Geometric {
	return Geometric{g.Base, 1 + float64(d-g.Base)/float64(t)}
}

// RuleOfThumb is how many times more retries another factor needs in the long run: log r / log r'.
func (g Geometric) RuleOfThumb(other Geometric) float64 {
	return math.Log(g.Factor) / math.Log(other.Factor)
}
