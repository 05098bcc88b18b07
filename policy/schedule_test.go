package policy

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	doubling := Exponential{time.Second, 2}
	explicit := Delays{time.Second, 5 * time.Second, 2 * time.Second}
	tests := []struct {
		name    string
		backoff Backoff
		n       int
		want    time.Duration
	}{
		{"exponential, first", doubling, 1, time.Second},
		{"exponential, second", doubling, 2, 2 * time.Second},
		{"exponential, tenth", doubling, 10, 512 * time.Second},
		{"exponential, last that fits", doubling, 34, 1 << 33 * time.Second},
		{"exponential, first that saturates", doubling, 35, forever},
		{"exponential, thousands", doubling, 5000, forever},
		{"exponential, no limit", doubling, math.MaxInt, forever},
		{"factor 1", Exponential{time.Second, 1}, math.MaxInt, time.Second},
		{"factor below 1, second", Exponential{time.Second, 0.5}, 2, 500 * time.Millisecond},
		{"factor below 1, last above zero", Exponential{time.Second, 0.5}, 30, 1},
		{"factor below 1, first at zero", Exponential{time.Second, 0.5}, 31, 0},
		{"factor below 1, no limit", Exponential{time.Second, 0.5}, math.MaxInt, 0},
		{"factor just below 1, no limit", Exponential{time.Second, math.Nextafter(1, 0)}, 1 << 30, 999999880},
		{"factor tiny, first", Exponential{forever, math.SmallestNonzeroFloat64}, 1, forever},
		{"factor tiny, second", Exponential{forever, math.SmallestNonzeroFloat64}, 2, 0},
		{"factor huge, first", Exponential{1, math.MaxFloat64}, 1, 1},
		{"factor huge, second", Exponential{1, math.MaxFloat64}, 2, forever},
		{"factor huge, third overflows the float", Exponential{1, math.MaxFloat64}, 3, forever},
		{"factor huge, no limit", Exponential{1, math.MaxFloat64}, math.MaxInt, forever},
		{"base zero", Exponential{0, 2}, 10, 0},
		{"base zero, factor overflows the float", Exponential{0, math.MaxFloat64}, math.MaxInt, 0},
		{"base 1ns rounds down", Exponential{1, 1.5}, 2, 1},
		{"base longest, first", Exponential{forever, 2}, 1, forever},
		{"base longest, shrinking", Exponential{forever, 0.5}, 2, 1 << 62},

		{"constant, first", Constant(time.Second), 1, time.Second},
		{"constant, no limit", Constant(time.Second), math.MaxInt, time.Second},
		{"constant zero", Constant(0), 7, 0},
		{"constant longest", Constant(forever), math.MaxInt, forever},

		{"linear, first", Linear(time.Second), 1, time.Second},
		{"linear, third", Linear(time.Second), 3, 3 * time.Second},
		{"linear, thousands", Linear(time.Second), 5000, 5000 * time.Second},
		{"linear, last that fits", Linear(1 << 40), 1<<23 - 1, (1<<23 - 1) << 40},
		{"linear, first that saturates", Linear(1 << 40), 1 << 23, forever},
		{"linear, no limit", Linear(time.Hour), math.MaxInt, time.Duration(min(math.MaxInt64, math.MaxInt*3.6e12))},
		{"linear, base zero", Linear(0), math.MaxInt, 0},
		{"linear, base longest, first", Linear(forever), 1, forever},
		{"linear, base longest, second", Linear(forever), 2, forever},

		{"fibonacci, first", Fibonacci(time.Second), 1, time.Second},
		{"fibonacci, second", Fibonacci(time.Second), 2, time.Second},
		{"fibonacci, third", Fibonacci(time.Second), 3, 2 * time.Second},
		{"fibonacci, tenth", Fibonacci(time.Second), 10, 55 * time.Second},
		{"fibonacci, last that fits", Fibonacci(1), 92, 7540113804746346429},
		{"fibonacci, first that saturates", Fibonacci(1), 93, forever},
		{"fibonacci, no limit", Fibonacci(1), math.MaxInt, forever},
		{"fibonacci, base zero", Fibonacci(0), math.MaxInt, 0},
		{"fibonacci, base longest", Fibonacci(forever), 2, forever},

		{"delays, first", explicit, 1, time.Second},
		{"delays, second", explicit, 2, 5 * time.Second},
		{"delays, last", explicit, 3, 2 * time.Second},
		{"delays, the last repeats", explicit, 4, 2 * time.Second},
		{"delays, no limit", explicit, math.MaxInt, 2 * time.Second},
		{"delays, only one", Delays{time.Second}, 9, time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.backoff.Delay(test.n); got != test.want {
				t.Errorf("%#v.Delay(%d) = %d, want %d", test.backoff, test.n, got, test.want)
			}
		})
	}
}

// A backoff that doesn't shrink must not shrink on overflow either.
func TestDelayNeverShrinks(t *testing.T) {
	backoffs := []Backoff{
		Exponential{time.Second, 1.001}, Exponential{time.Second, 2}, Exponential{1, 1e300},
		Constant(time.Second), Linear(time.Hour), Linear(1 << 52), Fibonacci(time.Second),
	}
	for _, backoff := range backoffs {
		previous := time.Duration(0)
		for n := 1; n <= 5000; n++ {
			delay := backoff.Delay(n)
			if delay < previous {
				t.Fatalf("%#v.Delay(%d) = %v after %v", backoff, n, delay, previous)
			}
			previous = delay
		}
	}
}

// A retry starts when its own sleep ends: with factor 1.1 the first 48 sleeps together are 960.172 s.
func TestWorkedNumbers(t *testing.T) {
	tests := []struct {
		factor       float64
		retry        int
		sleep, start string
	}{
		{1.1, 48, "1m28.197s", "16m0.172s"},
		{1.1, 49, "1m37.017s", "17m37.19s"},
		{2, 10, "8m32s", "17m3s"},
	}
	for _, test := range tests {
		sequence := Schedule{Backoff: Exponential{time.Second, test.factor}, Jitter: None{}}.Start(nil)
		var sleep, start time.Duration
		for range test.retry {
			sleep = sequence.Next()
			start += sleep
		}
		if got := sleep.Round(time.Millisecond).String(); got != test.sleep {
			t.Errorf("factor %v: retry %d sleeps %s, want %s", test.factor, test.retry, got, test.sleep)
		}
		if got := start.Round(time.Millisecond).String(); got != test.start {
			t.Errorf("factor %v: retry %d starts %s in, want %s", test.factor, test.retry, got, test.start)
		}
	}
}

func TestCap(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name    string
		backoff Backoff
		cap     time.Duration
		want    []time.Duration
	}{
		{"bounds", Exponential{s, 2}, 5 * s, []time.Duration{s, 2 * s, 4 * s, 5 * s, 5 * s}},
		{"zero is none", Exponential{s, 2}, 0, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s}},
		{"below the base", Linear(3 * s), 2 * s, []time.Duration{2 * s, 2 * s}},
		{"bounds explicit delays", Delays{s, 9 * s, 2 * s}, 3 * s, []time.Duration{s, 3 * s, 2 * s, 2 * s}},
		{"of 1ns", Constant(s), 1, []time.Duration{1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sequence := Schedule{test.backoff, None{}, test.cap}.Start(nil)
			for i, want := range test.want {
				if got := sequence.Next(); got != want {
					t.Errorf("sleep %d is %v, want %v", i+1, got, want)
				}
			}
		})
	}
}

// Without a cap, the jitter itself must saturate.
func TestSaturatedDelayIsJittered(t *testing.T) {
	jitters := []Jitter{
		None{}, Full{}, Equal{}, Decorrelated{}, Additive(forever), Normal(math.MaxFloat64), Proportional(1),
	}
	for _, jitter := range jitters {
		sequence := Schedule{Backoff: Constant(forever), Jitter: jitter}.Start(NewRand(1, SleepStream))
		for range 1000 {
			if sleep := sequence.Next(); sleep < 0 {
				t.Fatalf("%v slept %v", jitter, sleep)
			}
		}
	}
}

func TestSequenceOutlastsItsCounter(t *testing.T) {
	sequence := Schedule{Backoff: Linear(forever / math.MaxInt), Jitter: None{}}.Start(nil)
	sequence.n = math.MaxInt - 1
	last := sequence.Next()
	if got := sequence.Next(); got != last || got <= 0 {
		t.Errorf("after the last count the sleep is %v, want %v", got, last)
	}
}

func TestReset(t *testing.T) {
	const s = time.Second
	sequence := Schedule{Backoff: Exponential{s, 2}, Jitter: None{}}.Start(nil)
	var got []time.Duration
	for range 2 {
		got = append(got, sequence.Next(), sequence.Next(), sequence.Next())
		sequence.Reset()
	}
	if want := []time.Duration{s, 2 * s, 4 * s, s, 2 * s, 4 * s}; !slices.Equal(got, want) {
		t.Errorf("slept %v, want %v", got, want)
	}
}

// Restarting the random source would repeat the sleeps that did not help.
func TestResetKeepsTheRandomSource(t *testing.T) {
	schedule := Schedule{Backoff: Constant(time.Hour), Jitter: Full{}}
	without, with := schedule.Start(NewRand(1, SleepStream)), schedule.Start(NewRand(1, SleepStream))
	for i := range 10 {
		if want, got := without.Next(), with.Next(); got != want {
			t.Fatalf("sleep %d is %v, want %v", i+1, got, want)
		}
		with.Reset()
	}
}

// Decorrelated jitter grows from the previous sleep, which a reset must forget.
func TestResetForgetsThePreviousSleep(t *testing.T) {
	sequence := Schedule{Backoff: Exponential{time.Second, 2}, Jitter: Decorrelated{}}.Start(NewRand(1, SleepStream))
	for range 1000 {
		for range 5 {
			sequence.Next()
		}
		sequence.Reset()
		if first := sequence.Next(); first >= 3*time.Second {
			t.Fatalf("the first sleep after a reset is %v, want less than 3s", first)
		}
	}
}

func TestJittered(t *testing.T) {
	jitters := []Jitter{
		None{}, Full{}, Equal{}, Decorrelated{}, Additive(time.Second), Normal(0.1), Proportional(0.5),
	}
	for _, jitter := range jitters {
		if got, want := (Schedule{Jitter: jitter}).Jittered(), jitter.String() != "none"; got != want {
			t.Errorf("a schedule with jitter %v: Jittered() = %v", jitter, got)
		}
	}
}
