package simulation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// distance returns how far the numbers are from a distribution (Kolmogorov-Smirnov).
func distance(numbers []float64, cumulative func(x float64) float64) float64 {
	slices.Sort(numbers)
	most := 0.0
	for i, x := range numbers {
		p := cumulative(x)
		most = max(most, p-float64(i)/float64(len(numbers)), float64(i+1)/float64(len(numbers))-p)
	}
	return most
}

// The same client in many repetitions, and many clients in one, draw from the right distributions.
func TestDraws(t *testing.T) {
	t.Parallel()
	const n = 200_000
	tests := []struct {
		name       string
		draw       func(rng *rand.Rand) time.Duration
		cumulative func(seconds float64) float64
	}{
		{"exponential", func(rng *rand.Rand) time.Duration { return exponential(rng, time.Second) },
			func(x float64) float64 { return -math.Expm1(-x) }},
		{"gaussian", func(rng *rand.Rand) time.Duration { return gaussian(rng, 1e9, 1e9) },
			func(x float64) float64 { return (math.Erf((x-1)/math.Sqrt2) + math.Erf((x+1)/math.Sqrt2)) / 2 }},
	}
	for _, test := range tests {
		var along, across []float64
		var s, fresh stream
		s.start(7, 0, 0)
		for i := range n {
			fresh.start(7, uint64(i/1000), i%1000)
			along = append(along, test.draw(rand.New(&s)).Seconds())
			across = append(across, test.draw(rand.New(&fresh)).Seconds())
		}
		// Exceeded in one of 10⁵ cases: exp(-2·2.5²)·2.
		limit := 2.5 / math.Sqrt(n)
		if a, b := distance(along, test.cumulative), distance(across, test.cumulative); a > limit || b > limit {
			t.Errorf("%s: %v along a stream, %v across streams, more than %v", test.name, a, b, limit)
		}
	}
}

func TestRoundAndAdd(t *testing.T) {
	if round(math.Inf(1)) != forever || round(math.MaxInt64) != forever || round(0.4) != 0 || round(0.5) != 1 {
		t.Error("round")
	}
	if add(forever, 1) != forever || add(1, forever) != forever || add(forever-1, 1) != forever || add(2, 3) != 5 {
		t.Error("add")
	}
}

func TestSpread(t *testing.T) {
	var s sample
	if s.add(3); s.spread() != (Spread{3, 0}) {
		t.Error(s.spread())
	}
	if s.add(5); s.spread() != (Spread{4, math.Sqrt2}) {
		t.Error(s.spread())
	}
	for _, x := range []float64{7, 9} {
		s.add(x)
	}
	if got := s.spread(); got.Mean != 6 || math.Abs(got.SD-math.Sqrt(20.0/3)) > 1e-15 {
		t.Error(got)
	}
}
