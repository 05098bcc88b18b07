package policy

import (
	"math"
	"time"
)

// Geometric is an exponential schedule without jitter or cap, for which closed formulas exist. In the formulas a is Base
// and r is Factor. Attempts take no time.
//
// For example, with a = 1 s and r = 2 the tenth retry starts at 1023 s, after a sleep of 512 s; the next sleep is 1024 s.
type Geometric struct {
	Base   time.Duration
	Factor float64
}

// Elapsed returns the time at which retry n starts: T_n = a·(r^n - 1)/(r - 1), or a·n if r is 1.
func (g Geometric) Elapsed(n float64) time.Duration {
	if g.Factor == 1 {
		return saturate(float64(g.Base) * n)
	}
	return saturate(float64(g.Base) * math.Expm1(n*math.Log(g.Factor)) / (g.Factor - 1))
}

// Next returns the sleep after a retry that starts at t: a + (r - 1)·t.
func (g Geometric) Next(t time.Duration) time.Duration {
	return saturate(float64(g.Base) + (g.Factor-1)*float64(t))
}

// Previous returns the sleep before a retry that starts at t: Next/r.
func (g Geometric) Previous(t time.Duration) time.Duration {
	return saturate(float64(g.Next(t)) / g.Factor)
}

// Retries returns the number of retries started by t: log_r(1 + (r - 1)·t/a), or t/a if r is 1. It is infinite if Base is
// 0. With a Factor below 1 the starts converge, and it is infinite from that limit on.
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

// Aimed returns the schedule with the same base whose sleep at t is about d: r = 1 + (d - a)/t.
func (g Geometric) Aimed(d, t time.Duration) Geometric {
	return Geometric{g.Base, 1 + float64(d-g.Base)/float64(t)}
}

// RuleOfThumb returns how many times as many retries other makes in the long run: log r / log r'.
func (g Geometric) RuleOfThumb(other Geometric) float64 {
	return math.Log(g.Factor) / math.Log(other.Factor)
}
