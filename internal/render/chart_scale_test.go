package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

func labels(s scale) string {
	var list []string
	for _, t := range s.ticks {
		list = append(list, t.label)
	}
	return strings.Join(list, ", ")
}

func TestTicks(t *testing.T) {
	linear, logarithmic := func(u Unit) Axis { return Axis{"", u, false} }, func(u Unit) Axis { return Axis{"", u, true} }
	tests := []struct {
		axis      Axis
		low, high float64
		ticks     int
		round     bool
		want      string
		from, to  float64
	}{
		{linear(Seconds), 0, 1000, 6, true, "0, 5 m, 10 m, 15 m, 20 m", 0, 1200},
		{linear(Seconds), 0, 10_000, 6, true, "0, 30 m, 1 h, 90 m, 2 h, 150 m, 3 h", 0, 10_800},
		{linear(Seconds), 0, 10_000, 4, true, "0, 1 h, 2 h, 3 h", 0, 10_800},
		{linear(Seconds), 0, 60, 6, true, "0, 10 s, 20 s, 30 s, 40 s, 50 s, 1 m", 0, 60},
		{linear(Seconds), 0, 119, 8, false, "0, 30 s, 1 m, 90 s", 0, 119},
		{linear(Seconds), 0, 0.0031, 6, true, "0, 1 ms, 2 ms, 3 ms, 4 ms", 0, 0.004},
		{linear(Seconds), 0, 2.5e-7, 6, true, "0, 50 ns, 100 ns, 150 ns, 200 ns, 250 ns", 0, 2.5e-7},
		{linear(Seconds), 0, 40 * 86400, 6, true, "0, 10 d, 20 d, 30 d, 40 d", 0, 40 * 86400},
		{linear(Count), 0, 45_672, 6, true, "0, 10,000, 20,000, 30,000, 40,000, 50,000", 0, 50_000},
		{linear(Count), 10, 200, 8, false, "50, 100, 150, 200", 10, 200},
		{linear(Count), 1, 3, 8, false, "1, 2, 3", 1, 3},
		{linear(Count), 7, 7, 8, false, "7", 6.5, 7.5},
		{linear(Count), 7, 7, 8, true, "0, 1, 2, 3, 4, 5, 6, 7", 0, 7},
		{linear(Count), 0, 0, 6, true, "0, 1", 0, 1},
		{linear(Count), math.Inf(1), math.Inf(-1), 6, true, "0, 1", 0, 1},
		{linear(Percent), 0, 1, 6, true, "0 %, 20 %, 40 %, 60 %, 80 %, 100 %", 0, 1},
		{linear(Percent), 0.9, 1, 6, false, "90 %, 92 %, 94 %, 96 %, 98 %, 100 %", 0.9, 1},

		{logarithmic(Seconds), 0.1, 1000, 6, true, "100 ms, 1 s, 10 s, 1 m, 10 m", 0.1, 1800},
		{logarithmic(Seconds), 7, 40, 6, true, "5 s, 10 s, 30 s, 1 m", 5, 60},
		{logarithmic(Seconds), 1, 1e9, 4, true, "1 s, 10 m, 10 d, 10,000 d", 1, 20_000 * 86400},
		{logarithmic(Count), 3, 45_672, 6, true, "10, 100, 1,000, 10,000", 2, 50_000},
		{logarithmic(Count), 300, 400, 6, true, "200, 500", 200, 500},
		{logarithmic(Count), 100, 100, 6, true, "100, 200", 100, 200},
		{logarithmic(Count), 100, 100, 6, false, "100, 200", 100, 200},
		{logarithmic(Percent), 0.02, 1, 6, true, "2 %, 5 %, 10 %, 20 %, 50 %, 100 %", 0.02, 1},
		{logarithmic(Count), math.Inf(1), math.Inf(-1), 6, true, "1, 2, 5, 10", 1, 10},
	}
	for _, test := range tests {
		s := newScale(test.axis, extent{test.low, test.high}, test.ticks, test.round)
		if got := labels(s); got != test.want || math.Abs(s.low-test.from) > 1e-9*test.from || math.Abs(s.high-test.to) > 1e-9*test.to {
			t.Errorf("%+v, %v to %v in %d: %s from %v to %v, not %s from %v to %v", test.axis, test.low, test.high, test.ticks,
				got, s.low, s.high, test.want, test.from, test.to)
		}
	}
}

// Whatever the values are, there are ticks, not too many, in order, on the scale, and round: one unit and a number with few
// significant digits.
func TestTicksAreRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		axis := Axis{"", Unit(rng.IntN(2)), rng.IntN(2) == 0}
		low := math.Pow(10, 9*rng.Float64())
		if axis.Unit == Seconds {
			low /= 1e6
		}
		high := low * math.Pow(10, 5*rng.Float64())
		ticks := 4 + rng.IntN(5)
		s := newScale(axis, extent{low, high}, ticks, true)
		if s.low > low*(1+1e-8) || s.high < high*(1-1e-8) {
			t.Fatalf("%+v: %v to %v don't include %v to %v", axis, s.low, s.high, low, high)
		}
		if n := len(s.ticks); n < 2 || n > ticks+2 {
			t.Fatalf("%+v, %v to %v: %d ticks of %d: %s", axis, low, high, n, ticks, labels(s))
		}
		for i, tick := range s.ticks {
			if tick.at < s.low*(1-1e-8) || tick.at > s.high*(1+1e-8) || i > 0 && tick.at <= s.ticks[i-1].at {
				t.Fatalf("%+v, %v to %v: %s at %v", axis, s.low, s.high, tick.label, tick.at)
			}
			number, unit, _ := strings.Cut(tick.label, " ")
			x, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
			if err != nil || axis.Unit == Seconds && tick.at > 0 && math.Abs(x*secondsOf(unit)/tick.at-1) > 1e-6 {
				t.Fatalf("%q stands at %v", tick.label, tick.at)
			}
		}
	}
}

func secondsOf(name string) float64 {
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return math.NaN()
	}
	return units[i].seconds
}

func TestPart(t *testing.T) {
	linear := newScale(Axis{"", Count, false}, extent{100, 300}, 4, false)
	logarithmic := newScale(Axis{"", Count, true}, extent{1, 10_000}, 6, false)
	for _, test := range []struct {
		scale   scale
		x, want float64
	}{
		{linear, 100, 0}, {linear, 150, 0.25}, {linear, 300, 1}, {linear, 400, 1}, {linear, -5, 0},
		{logarithmic, 1, 0}, {logarithmic, 10, 0.25}, {logarithmic, 10_000, 1}, {logarithmic, 1e9, 1}, {logarithmic, 0, 0},
		{logarithmic, -3, 0},
		{scale{extent: extent{2, 2}}, 2, 0.5},
	} {
		if got := test.scale.part(test.x); !(math.Abs(got-test.want) <= 1e-12) {
			t.Errorf("%v on %+v is at %v, not %v", test.x, test.scale, got, test.want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, test := range []struct {
		unit Unit
		x    float64
		want string
	}{
		{Count, 0, "0"}, {Count, 12, "12"}, {Count, 999, "999"}, {Count, 1000, "1,000"}, {Count, 45_672.4, "45,672"},
		{Count, 123_456, "123,456"}, {Count, 1_234_567, "1,234,567"}, {Count, 1e18, "1,000,000,000,000,000,000"},
		{Count, -500, "-500"}, {Count, -123_456, "-123,456"},
		{Percent, 0.5, "50 %"}, {Percent, 0.0001, "0.01 %"}, {Percent, 0, "0 %"},
		{Seconds, 0.0042, "4ms"}, {Seconds, 3.14159, "3.1s"}, {Seconds, 12.34, "12s"}, {Seconds, 1000, "16m40s"},
	} {
		if got := test.unit.value(test.x); got != test.want {
			t.Errorf("%v: %q, not %q", test.x, got, test.want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	for x, want := range map[float64]string{
		86400: "d", 3 * 86400: "d", 3600: "h", 5400: "m", 60: "m", 90: "s", 1: "s", 0.5: "ms", 0.001: "ms", 0.0015: "µs", 2e-6: "µs", 3e-9: "ns",
		1e-10: "ns", 1.5e-9: "ns",
	} {
		if got := unitOf(x).name; got != want {
			t.Errorf("%v s: %s, not %s", x, got, want)
		}
	}
}

func TestRounded(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{
		-1: 0, 0: 0, 123.4: 123 * time.Second, 10: 10 * time.Second, 9.96: 10 * time.Second, 9.94: 9900 * time.Millisecond,
		1.26: 1300 * time.Millisecond, 0.126: 130 * time.Millisecond, 0.0126: 13 * time.Millisecond, 0.00126: 1260 * time.Microsecond,
		1e30: policyLongest,
	} {
		if got := rounded(seconds); got != want {
			t.Errorf("%v s: %v, not %v", seconds, got, want)
		}
	}
	if got := policy.FormatDuration(rounded(1e30)); got == "" {
		t.Error("the longest duration has no form")
	}
}

// policyLongest is the longest duration that rounded returns.
const policyLongest = time.Duration(math.MaxInt64/2/int64(time.Second)) * time.Second
