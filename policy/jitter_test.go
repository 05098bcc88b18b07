package policy

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const draws = 100_000

// sigmas is the tolerance in standard errors, which chance exceeds once in two million times.
const sigmas = 5

// distribution is the theoretical distribution of sleeps in seconds.
type distribution struct {
	low, high    float64
	mean, stddev float64
	kurtosis     float64 // 1.8 for a uniform distribution, 3 for a normal one
	cumulative   func(x float64) float64
}

func uniformOn(low, high float64) distribution {
	return distribution{low, high, (low + high) / 2, (high - low) / math.Sqrt(12), 1.8,
		func(x float64) float64 { return (x - low) / (high - low) }}
}

func normalOf(mean, stddev float64) distribution {
	return distribution{0, math.Inf(1), mean, stddev, 3,
		func(x float64) float64 { return math.Erfc((mean-x)/stddev/math.Sqrt2) / 2 }}
}

func TestDistribution(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name   string
		jitter Jitter
		step   Step
		want   distribution
	}{
		{"full", Full{}, Step{Delay: 8 * s}, uniformOn(0, 8)},
		{"full, capped delay", Full{}, Step{Delay: 8 * s, Cap: 8 * s}, uniformOn(0, 8)},
		{"equal", Equal{}, Step{Delay: 8 * s}, uniformOn(4, 8)},
		{"decorrelated, first", Decorrelated{}, Step{Delay: s, Base: s, Previous: s}, uniformOn(1, 3)},
		{"decorrelated, later", Decorrelated{}, Step{Delay: 9 * s, Base: s, Previous: 5 * s}, uniformOn(1, 15)},
		{"additive", Additive(s), Step{Delay: 4 * s}, uniformOn(4, 5)},
		{"additive, more than the delay", Additive(10 * s), Step{Delay: s}, uniformOn(1, 11)},
		{"additive, room below the cap", Additive(s), Step{Delay: 4 * s, Cap: 5 * s}, uniformOn(4, 5)},
		{"normal", Normal(0.1), Step{Delay: 8 * s}, normalOf(8, 0.8)},
		{"normal, noise above the cap", Normal(0.1), Step{Delay: 8 * s, Cap: 8 * s}, normalOf(8, 0.8)},
		{"normal, narrow", Normal(0.01), Step{Delay: 8 * s}, normalOf(8, 0.08)},
		{"proportional", Proportional(0.5), Step{Delay: 8 * s}, uniformOn(4, 12)},
		{"proportional, all of it", Proportional(1), Step{Delay: 8 * s}, uniformOn(0, 16)},
		{"proportional, narrow", Proportional(0.1), Step{Delay: 8 * s}, uniformOn(7.2, 8.8)},
		{"proportional, room below the cap", Proportional(0.5), Step{Delay: 8 * s, Cap: 12 * s}, uniformOn(4, 12)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rng := NewRand(1, SleepStream)
			test.want.check(t, func() time.Duration { return test.jitter.Sleep(test.step, rng) })
		})
	}
}

// check compares many draws with the distribution: bounds, mean, standard deviation and, with a chi-square test over
// equally likely buckets, the shape.
func (want distribution) check(t *testing.T, draw func() time.Duration) {
	t.Helper()
	var sum, squares float64
	buckets := make([]int, 100)
	for range draws {
		x := draw().Seconds()
		if x < want.low || x > want.high {
			t.Fatalf("drew %v s, outside %v to %v s", x, want.low, want.high)
		}
		sum += x
		squares += (x - want.mean) * (x - want.mean)
		buckets[min(int(want.cumulative(x)*float64(len(buckets))), len(buckets)-1)]++
	}
	closeTo(t, "mean", sum/draws, want.mean, want.stddev/math.Sqrt(draws))
	closeTo(t, "standard deviation", math.Sqrt(squares/draws), want.stddev,
		want.stddev*math.Sqrt((want.kurtosis-1)/4/draws))
	checkBuckets(t, buckets)
}

// closeTo checks that a statistic is within the tolerance.
func closeTo(t *testing.T, what string, got, want, standardError float64) {
	t.Helper()
	if math.Abs(got-want) > sigmas*standardError {
		t.Errorf("%s %v, want %v ± %v", what, got, want, sigmas*standardError)
	}
}

// checkBuckets tests that the draws are spread evenly over the buckets. A chi-square statistic with k degrees of freedom has
// mean k and variance 2k.
func checkBuckets(t *testing.T, buckets []int) {
	t.Helper()
	expected := float64(draws) / float64(len(buckets))
	var chiSquare float64
	for _, count := range buckets {
		chiSquare += (float64(count) - expected) * (float64(count) - expected) / expected
	}
	freedom := float64(len(buckets) - 1)
	closeTo(t, "chi-square", chiSquare, freedom, math.Sqrt(2*freedom))
}

// Draws beyond a bound must land on the bound itself: drawing again or scaling would stay within the bounds too, but change
// the mean.
func TestCutOff(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name   string
		jitter Jitter
		step   Step
		bound  time.Duration
		share  float64 // of the sleeps that are the bound exactly
		mean   float64 // in seconds
	}{
		{"decorrelated at the cap", Decorrelated{}, Step{Delay: 10 * s, Base: s, Previous: 4 * s, Cap: 10 * s},
			10 * s, 2. / 11, 9./11*5.5 + 2./11*10},
		{"additive at the cap", Additive(s), Step{Delay: s, Cap: 1250 * time.Millisecond},
			1250 * time.Millisecond, 0.75, 0.25*1.125 + 0.75*1.25},
		{"additive, delay at the cap", Additive(s), Step{Delay: s, Cap: s}, s, 1, 1},
		{"proportional at the cap", Proportional(0.5), Step{Delay: 10 * s, Cap: 12 * s}, 12 * s, 0.3, 0.7*8.5 + 0.3*12},
		// For S = 1 the mean of max(0, d + N(0, d)) is d·(Φ(1) + φ(1)) and a share of Φ(-1) is zero.
		{"normal at zero", Normal(1), Step{Delay: s}, 0, 0.158655254, 0.841344746 + 0.241970725},
		// With a huge S only the sign of the noise matters.
		{"normal, infinite noise", Normal(math.MaxFloat64), Step{Delay: s}, 0, 0.5, forever.Seconds() / 2},
		{"normal, no delay", Normal(0.5), Step{Delay: 0}, 0, 1, 0},
		{"full, no delay", Full{}, Step{Delay: 0}, 0, 1, 0},
		{"equal, shortest delay", Equal{}, Step{Delay: 1}, 0, 1, 0},
		{"decorrelated, no base", Decorrelated{}, Step{}, 0, 1, 0},
		{"decorrelated, base above the cap", Decorrelated{}, Step{Delay: s, Base: 3 * s, Previous: s, Cap: s}, s, 1, 1},
		{"additive of nothing", Additive(0), Step{Delay: s}, s, 1, 1},
		{"proportional, no delay", Proportional(0.5), Step{Delay: 0}, 0, 1, 0},
		{"none", None{}, Step{Delay: s, Base: 1, Previous: 2, Cap: 2 * s}, s, 1, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rng := NewRand(1, SleepStream)
			var hits int
			var sum, squares float64
			for range draws {
				sleep := test.jitter.Sleep(test.step, rng)
				if sleep == test.bound {
					hits++
				}
				sum += sleep.Seconds()
				squares += sleep.Seconds() * sleep.Seconds()
			}
			mean := sum / draws
			variance := max(0, squares/draws-mean*mean)
			// If all sleeps are the same, there is still the rounding error of the sum.
			closeTo(t, "mean", mean, test.mean, math.Sqrt(variance/draws)+1e-9*test.mean)
			closeTo(t, "share at the bound", float64(hits)/draws, test.share, math.Sqrt(test.share*(1-test.share)/draws))
		})
	}
}

// fixed is a random source that always gives the same word.
type fixed uint64

func (f fixed) Uint64() uint64 { return uint64(f) }

// The exact ends of each interval: the lower can be drawn, the upper can't.
func TestEndsOfTheInterval(t *testing.T) {
	const s = time.Second
	tests := []struct {
		jitter    Jitter
		step      Step
		low, high time.Duration
	}{
		{Full{}, Step{Delay: 10 * s}, 0, 10*s - 1},
		{Full{}, Step{Delay: forever}, 0, forever - 1},
		{Equal{}, Step{Delay: 10 * s}, 5 * s, 10*s - 1},
		{Equal{}, Step{Delay: forever - 2}, forever/2 - 1, forever - 3},
		{Decorrelated{}, Step{Base: s, Previous: 7 * s}, s, 21*s - 1},
		{Decorrelated{}, Step{Base: s, Previous: 7 * s, Cap: 20 * s}, s, 20 * s},
		{Decorrelated{}, Step{Base: s, Previous: forever}, s, forever - 1},
		{Additive(10 * s), Step{Delay: s}, s, 11*s - 1},
		{Additive(10 * s), Step{Delay: s, Cap: 5 * s}, s, 5 * s},
		{Additive(10 * s), Step{Delay: forever}, forever, forever},
		{Proportional(0.5), Step{Delay: 10 * s}, 5 * s, 15*s - 1},
		{Proportional(0.5), Step{Delay: 10 * s, Cap: 12 * s}, 5 * s, 12 * s},
		{Proportional(1), Step{Delay: 10 * s}, 0, 20*s - 1},
		{Proportional(1), Step{Delay: forever}, 0, forever - 1},
	}
	// Rand.Int64N multiplies the word by the range and takes what is above 64 bits. A word of 1 is the lowest that it
	// accepts for any range of more than 32 bits that isn't a power of two.
	lowest, highest := rand.New(fixed(1)), rand.New(fixed(math.MaxUint64))
	for _, test := range tests {
		if got := test.jitter.Sleep(test.step, lowest); got != test.low {
			t.Errorf("%v with %+v: lowest is %v, want %v", test.jitter, test.step, got, test.low)
		}
		if got := test.jitter.Sleep(test.step, highest); got != test.high {
			t.Errorf("%v with %+v: highest is %v, want %v", test.jitter, test.step, got, test.high)
		}
	}
}

// Each sleep is in [base, min(cap, 3·previous)]; at first, previous is base.
func TestDecorrelatedFollowsThePreviousSleep(t *testing.T) {
	const base, limit = time.Second, 30 * time.Second
	for seed := range uint64(1000) {
		schedule := Schedule{Exponential{base, 2}, Decorrelated{}, limit}
		sequence := schedule.Start(NewRand(seed, SleepStream))
		previous := base
		for n := range 100 {
			sleep := sequence.Next()
			if sleep < base || sleep > min(limit, 3*previous) {
				t.Fatalf("seed %d, retry %d: slept %v after %v", seed, n+1, sleep, previous)
			}
			previous = sleep
		}
	}
}

// A schedule that fed its noise back would stay at zero after the first sleep of zero.
func TestNormalLeavesZero(t *testing.T) {
	schedule := Schedule{Backoff: Constant(time.Second), Jitter: Normal(1)}
	sequence := schedule.Start(NewRand(1, SleepStream))
	var zeros, left int
	for previous, n := time.Second, 0; n < 1000; n++ {
		sleep := sequence.Next()
		if previous == 0 {
			zeros++
			if sleep > 0 {
				left++
			}
		}
		previous = sleep
	}
	if zeros < 100 || left < zeros/2 {
		t.Errorf("of %d sleeps of zero %d were followed by a longer one", zeros, left)
	}
}

// Machines seeded with consecutive numbers must not retry in step.
func TestSeedsInARowAreIndependent(t *testing.T) {
	draw := func(seed uint64) float64 { return NewRand(seed, SleepStream).Float64() }
	buckets := make([]int, 100)
	var product float64
	for seed := range uint64(draws) {
		x := draw(seed)
		buckets[int(x*float64(len(buckets)))]++
		product += (x - 0.5) * (draw(seed+1) - 0.5)
	}
	checkBuckets(t, buckets)
	checkCorrelation(t, "neighbouring seeds", product)
}

func TestStreamsAreIndependent(t *testing.T) {
	streams := []Stream{SleepStream, StaggerStream, DeadlineStream}
	for i, a := range streams {
		for _, b := range streams[:i] {
			var along, across float64
			first, second := NewRand(1, a), NewRand(1, b)
			for seed := range uint64(draws) {
				along += (first.Float64() - 0.5) * (second.Float64() - 0.5)
				across += (NewRand(seed, a).Float64() - 0.5) * (NewRand(seed, b).Float64() - 0.5)
			}
			checkCorrelation(t, "two streams of a seed", along)
			checkCorrelation(t, "the first draws of two streams", across)
		}
	}
}

// checkCorrelation takes the sum of the products of draws from U(-½, ½), whose variance is 1/12.
func checkCorrelation(t *testing.T, what string, product float64) {
	t.Helper()
	closeTo(t, "correlation of "+what, product/draws*12, 0, 1/math.Sqrt(draws))
}

func TestParseJitter(t *testing.T) {
	tests := []struct {
		text string
		want Jitter
	}{
		{"none", None{}},
		{"full", Full{}},
		{"equal", Equal{}},
		{"decorrelated", Decorrelated{}},
		{"additive", Additive(time.Second)},
		{"additive=250ms", Additive(250 * time.Millisecond)},
		{"additive=0", Additive(0)},
		{"additive=1.5", Additive(1500 * time.Millisecond)},
		{"normal", Normal(0.1)},
		{"normal=0.25", Normal(0.25)},
		{"normal=3", Normal(3)},
		{"proportional", Proportional(0.5)},
		{"proportional=0.1", Proportional(0.1)},
		{"proportional=1", Proportional(1)},
	}
	for _, test := range tests {
		got, err := ParseJitter(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseJitter(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
	}
}

func TestParseJitterErrors(t *testing.T) {
	const modes = "; use none, full, equal, decorrelated, additive, normal or proportional"
	tests := []struct{ text, want string }{
		{"", `unknown jitter ""` + modes},
		{"half", `unknown jitter "half"` + modes},
		{"Full", `unknown jitter "Full"` + modes},
		{"half=0.5", `unknown jitter "half"` + modes},
		{"full=1", `full takes no value`},
		{"none=0", `none takes no value`},
		{"equal=a=b", `equal takes no value`},
		{"decorrelated=3", `decorrelated takes no value`},
		{"additive=", `"additive=" has no value after the =`},
		{"normal=", `"normal=" has no value after the =`},
		{"additive=soon", `"soon" is not a duration; use 90s, 1m30s, 250ms, 2d or a number of seconds`},
		{"additive=-1s", `"-1s" is negative`},
		{"normal=much", `"much" is not a number above 0`},
		{"normal=0", `"0" is not a number above 0`},
		{"normal=-1", `"-1" is not a number above 0`},
		{"normal=Inf", `"Inf" is not a number above 0`},
		{"normal=NaN", `"NaN" is not a number above 0`},
		{"normal=1e999", `"1e999" is not a number above 0`},
		{"proportional=0", `"0" is not a number above 0 and at most 1`},
		{"proportional=1.01", `"1.01" is not a number above 0 and at most 1`},
		{"proportional=NaN", `"NaN" is not a number above 0 and at most 1`},
		{"proportional=50%", `"50%" is not a number above 0 and at most 1`},
	}
	for _, test := range tests {
		if _, err := ParseJitter(test.text); err == nil || err.Error() != test.want {
			t.Errorf("ParseJitter(%q): error %v, want %s", test.text, err, test.want)
		}
	}
}

func TestJitterString(t *testing.T) {
	tests := []struct {
		jitter Jitter
		want   string
	}{
		{None{}, "none"},
		{Full{}, "full"},
		{Equal{}, "equal"},
		{Decorrelated{}, "decorrelated"},
		{Additive(1500 * time.Millisecond), "additive=1.5s"},
		{Normal(0.1), "normal=0.1"},
		{Proportional(0.25), "proportional=0.25"},
	}
	for _, test := range tests {
		if got := test.jitter.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
	}
}
