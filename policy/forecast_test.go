package policy

import (
	"fmt"
	"math"
	"testing"
	"time"
)

var everyJitter = []Jitter{
	None{}, Full{}, Equal{}, Decorrelated{}, Additive(time.Second), Additive(20 * time.Second), Normal(0.1), Normal(0.6),
	Normal(3), Proportional(0.5), Proportional(1),
}

// TestForecastMeans draws each schedule many times and compares the mean of every sleep with the forecast, in standard
// errors.
func TestForecastMeans(t *testing.T) {
	const follows, retries = 40000, 9
	for _, cap := range []time.Duration{0, 10 * time.Second, 500 * time.Millisecond} {
		for _, jitter := range everyJitter {
			t.Run(fmt.Sprintf("%v cap %v", jitter, cap), func(t *testing.T) {
				t.Parallel()
				s := Schedule{Exponential{time.Second, 1.7}, jitter, cap}
				var sum, squares [retries]float64
				plan := s.Forecast(retries, 0)
				for seed := range uint64(follows) {
					for i, d := range s.Drawn(retries, seed+1e6) {
						x := d.Seconds()
						sum[i] += x
						squares[i] += x * x
						if _, normal := jitter.(Normal); !normal && (d < plan[i].Sleep.Least || d > plan[i].Sleep.Most) {
							t.Fatalf("retry %d slept %v, outside %+v", i+1, d, plan[i].Sleep)
						}
					}
				}
				for i := range retries {
					mean := sum[i] / follows
					variance := max(0, squares[i]/follows-mean*mean)
					bound := 5 * math.Sqrt(variance/follows)
					if plan[i].Sleep.Drawn { // the forecast's own draws err too
						bound += 5 * math.Sqrt(variance/forecastDraws)
					}
					if want := plan[i].Sleep.Mean.Seconds(); math.Abs(mean-want) > bound+1e-6 {
						t.Errorf("retry %d: mean %.6f, forecast %.6f, bound %.6f", i+1, mean, want, bound)
					}
				}
			})
		}
	}
}

// Elapsed times are sums of the sleeps, after the stagger.
func TestForecastSums(t *testing.T) {
	for _, jitter := range everyJitter {
		plan := Schedule{Exponential{time.Second, 2}, jitter, time.Minute}.Forecast(20, 10*time.Second)
		want := Expectation{Mean: 5 * time.Second, Most: 10 * time.Second}
		for i, p := range plan {
			want = want.after(p.Sleep)
			if p.Elapsed != want || p.Retry != i+1 {
				t.Errorf("%v, retry %d: elapsed %+v, want %+v", jitter, p.Retry, p.Elapsed, want)
			}
		}
	}
}

// The bounds of a normal distribution are four standard deviations from its mean, and not below zero.
func TestNormalBounds(t *testing.T) {
	for s, want := range map[Normal][2]time.Duration{
		0.125: {4 * time.Second, 12 * time.Second},
		0.25:  {0, 16 * time.Second},
		0.5:   {0, 24 * time.Second},
	} {
		if e := s.Expect(Step{Delay: 8 * time.Second}, Expectation{}); e.Least != want[0] || e.Most != want[1] {
			t.Errorf("%v: %v to %v, want %v", s, e.Least, e.Most, want)
		}
	}
}

// A forecast may have no retries, or more than are drawn.
func TestForecastLength(t *testing.T) {
	t.Parallel()
	s := Schedule{Constant(time.Second), Decorrelated{}, 2 * time.Second}
	if plan := s.Forecast(0, time.Second); len(plan) != 0 {
		t.Errorf("no retry: %+v", plan)
	}
	plan := s.Forecast(202, 0)
	if last, before := plan[201].Sleep, plan[200].Sleep; last != before || last.Mean.Round(time.Second/10) != 1900*time.Millisecond {
		t.Errorf("the last sleeps are %+v and %+v", before, last)
	}
}

func TestForecastDrawnMark(t *testing.T) {
	plan := Schedule{Exponential{time.Second, 2}, Decorrelated{}, 10 * time.Second}.Forecast(4, 0)
	for i, want := range []bool{false, false, true, true} { // 3, 9, then 27 above the cap
		if plan[i].Sleep.Drawn != want || plan[i].Elapsed.Drawn != want {
			t.Errorf("retry %d: %+v", i+1, plan[i])
		}
	}
	if got := plan[1].Sleep.Mean; got != 3500*time.Millisecond { // 2 s, then (1 + 3·2)/2
		t.Errorf("mean %v", got)
	}
}

func TestSteady(t *testing.T) {
	for _, test := range []struct {
		backoff Backoff
		cap     time.Duration
		retry   int
		found   bool
	}{
		{Exponential{time.Second, 2}, time.Minute, 7, true},
		{Exponential{time.Second, 2}, 0, 0, false},
		{Constant(time.Second), 0, 1, true},
		{Delays{1, 2, 3}, 0, 3, true},
		{Linear(time.Second), 10 * time.Second, 10, true},
		{Exponential{time.Second, 0.5}, 0, 31, true}, // below a nanosecond it is 0
		{Exponential{0, 2}, 0, 1, true},
	} {
		retry, found := Schedule{test.backoff, None{}, test.cap}.Steady(50)
		if retry != test.retry || found != test.found {
			t.Errorf("%v: steady from %d, %v, want %d, %v", test.backoff, retry, found, test.retry, test.found)
		}
		for _, most := range []int{test.retry - 1, test.retry} {
			if _, found := (Schedule{test.backoff, None{}, test.cap}).Steady(most); found != (test.found && most == test.retry) {
				t.Errorf("%v: steady within %d: %v", test.backoff, most, found)
			}
		}
	}
}

func TestGeometricWorked(t *testing.T) {
	g := Geometric{time.Second, 2}
	at := 1023 * time.Second
	if n := g.Retries(at); math.Abs(n-10) > 1e-9 {
		t.Errorf("retries %v", n)
	}
	if g.Previous(at) != 512*time.Second || g.Next(at) != 1024*time.Second {
		t.Errorf("sleeps %v and %v", g.Previous(at), g.Next(at))
	}
	aimed := g.Aimed(100*time.Second, 1000*time.Second)
	if math.Abs(aimed.Factor-1.099) > 1e-12 {
		t.Errorf("factor %v", aimed.Factor)
	}
	slow := Geometric{time.Second, 1.1}
	for n, want := range map[float64]string{48: "960.172", 49: "1057.190"} {
		if got := fmt.Sprintf("%.3f", slow.Elapsed(n).Seconds()); got != want {
			t.Errorf("retry %v at %s, want %s", n, got, want)
		}
	}
	if more := slow.Retries(at) / g.Retries(at); more < 4.5 || more > 5.5 {
		t.Errorf("%v times the retries", more)
	}
	if thumb := g.RuleOfThumb(slow); math.Abs(thumb-7.27) > 0.01 {
		t.Errorf("rule of thumb %v", thumb)
	}
}

// FuzzGeometric compares the closed forms with the schedule itself.
func FuzzGeometric(f *testing.F) {
	f.Add(int64(time.Second), 2.0, uint8(10))
	f.Add(int64(time.Second), 1.1, uint8(48))
	f.Add(int64(100*time.Millisecond), 2.7, uint8(12))
	f.Add(int64(time.Minute), 0.9, uint8(30))
	f.Add(int64(time.Second), 1.0, uint8(7))
	f.Fuzz(func(t *testing.T, base int64, factor float64, n uint8) {
		if base < int64(time.Millisecond) || base > int64(time.Hour) || !(factor > 0.5 && factor < 10) || n == 0 || n > 100 {
			return
		}
		if factor != 1 && math.Abs(factor-1) < 1e-6 {
			return // the formulas divide by r - 1
		}
		g := Geometric{time.Duration(base), factor}
		plan := Schedule{Exponential{g.Base, factor}, None{}, 0}.Forecast(int(n)+1, 0)
		last, next := plan[n-1], plan[n]
		if next.Elapsed.Mean == forever || next.Elapsed.Mean > 1<<55 {
			return
		}
		at := last.Elapsed.Mean
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"elapsed", float64(g.Elapsed(float64(n))), float64(at)},
			{"next", float64(g.Next(at)), float64(next.Sleep.Mean)},
			{"previous", float64(g.Previous(at)), float64(last.Sleep.Mean)},
		} {
			// Sleeps are whole nanoseconds, so the sum of n sleeps is off by up to n, which r - 1 may magnify.
			if slack := 2 + float64(n)*(1+factor+1/factor) + 1e-9*math.Abs(c.want) + 1e-9*float64(at)*factor; math.Abs(c.got-c.want) > slack {
				t.Errorf("%v, n %d: %s %v, want %v", g, n, c.what, c.got, c.want)
			}
		}
		if g.Factor >= 1 {
			if got := g.Retries(at); math.Abs(got-float64(n)) > 1e-3 {
				t.Errorf("%v: %v retries by %v, want %d", g, got, at, n)
			}
		}
	})
}
