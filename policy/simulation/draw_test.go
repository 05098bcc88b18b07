package simulation

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestLn(t *testing.T) {
	var s stream
	s.start(1, 0, 0)
	for range 100_000 {
		x := math.Exp(float64(200 * (s.uniform() - 0.5)))
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("ln %v is %v, not %v", x, got, want)
		}
	}
	if ln(1) != 0 {
		t.Error("ln 1 is", ln(1))
	}
}

// distance is how far the numbers are from a distribution, as Kolmogorov and Smirnov measure it.
func distance(numbers []float64, cumulative func(x float64) float64) float64 {
	slices.Sort(numbers)
	most := 0.0
	for i, x := range numbers {
		p := cumulative(x)
		most = max(most, p-float64(i)/float64(len(numbers)), float64(i+1)/float64(len(numbers))-p)
	}
	return most
}

// The same client in many repetitions, and many clients in one, draw the distributions asked for.
func TestDraws(t *testing.T) {
	const n = 200_000
	tests := []struct {
		name       string
		draw       func(s *stream) float64
		cumulative func(x float64) float64
	}{
		{"normal", func(s *stream) float64 { return s.normal(uint32(s.Uint64())) },
			func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }},
		{"exponential", func(s *stream) float64 { return s.exponential(time.Second).Seconds() },
			func(x float64) float64 { return -math.Expm1(-x) }},
		{"gaussian", func(s *stream) float64 { return s.gaussian(1e9, 1e9).Seconds() },
			func(x float64) float64 { return (math.Erf((x-1)/math.Sqrt2) + math.Erf((x+1)/math.Sqrt2)) / 2 }},
		{"gaussians", func(s *stream) float64 { return s.gaussians(1e10, 1e9).Seconds() },
			func(x float64) float64 { return math.Erfc((20-x)/2) / 2 }},
	}
	for _, test := range tests {
		var along, across []float64
		var s, fresh stream
		s.start(7, 0, 0)
		for i := range n {
			fresh.start(7, uint64(i/1000), i%1000)
			along, across = append(along, test.draw(&s)), append(across, test.draw(&fresh))
		}
		// Exceeded once in 10⁵ times: exp(-2·2.5²)·2.
		limit := 2.5 / math.Sqrt(n)
		if a, b := distance(along, test.cumulative), distance(across, test.cumulative); a > limit || b > limit {
			t.Errorf("%s: %v along a stream, %v across streams, more than %v", test.name, a, b, limit)
		}
	}
}

// The tail is where a ziggurat may go wrong.
func TestNormalTail(t *testing.T) {
	const n = 4_000_000
	var s stream
	s.start(3, 0, 0)
	beyond := [5]float64{}
	for range n {
		if x := math.Abs(s.normal(uint32(s.Uint64()))); x >= 1 {
			beyond[min(int(x), 4)]++
		}
	}
	for k := 1; k <= 4; k++ {
		p := math.Erfc(float64(k) / math.Sqrt2)
		if k < 4 {
			p -= math.Erfc(float64(k+1) / math.Sqrt2)
		}
		if off := (beyond[k] - n*p) / math.Sqrt(n*p); math.Abs(off) > 4.5 {
			t.Errorf("%v of %d are beyond %d sd, %.1f standard errors off", beyond[k], n, k, off)
		}
	}
}

// These bits are the same on every platform.
func TestDrawsArePinned(t *testing.T) {
	var s stream
	s.start(1, 2, 3)
	sum := uint64(0)
	for range 100_000 {
		sum = mix(sum ^ uint64(s.gaussians(1e7, 2e6)))
		sum = mix(sum ^ uint64(s.exponential(10*time.Second)))
	}
	if sum != 0x54e47b423d68f90b {
		t.Errorf("%#x", sum)
	}
}

func TestRoundAndAdd(t *testing.T) {
	if round(math.Inf(1)) != forever || round(math.MaxInt64) != forever || round(0.4) != 0 || round(0.5) != 1 {
		t.Error("round")
	}
	if add(forever, 1) != forever || add(forever-1, 1) != forever || add(2, 3) != 5 {
		t.Error("add")
	}
}

func TestSpread(t *testing.T) {
	var s sample
	if s.add(3); s.spread() != (Spread{3, 0}) {
		t.Error(s.spread())
	}
	for _, x := range []float64{5, 7, 9} {
		s.add(x)
	}
	if got := s.spread(); got.Mean != 6 || math.Abs(got.SD-math.Sqrt(20.0/3)) > 1e-15 {
		t.Error(got)
	}
}
