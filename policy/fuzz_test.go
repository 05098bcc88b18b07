package policy

import (
	"math"
	"testing"
	"time"
)

// Law 1: a sleep is never negative, never overflows and, except with normal jitter, never exceeds the cap.
func FuzzSchedule(f *testing.F) {
	const s = int64(time.Second)
	for kind := range uint8(5) {
		for jitter := range uint8(7) {
			f.Add(kind, s, 2.0, 60*s, jitter, s, 0.5, uint64(42), uint16(100))
			f.Add(kind, int64(forever), 1.1, int64(0), jitter, int64(forever), 0.9, uint64(1), uint16(50))
		}
	}
	f.Add(uint8(4), int64(forever), 1.1, int64(0), uint8(6), int64(forever), 1.0, uint64(1), uint16(50))
	f.Add(uint8(0), s, 0.5, int64(0), uint8(1), s, 0.5, uint64(7), uint16(5000))
	f.Add(uint8(0), s, 1.1, int64(0), uint8(0), s, 0.5, uint64(7), uint16(5000))
	f.Add(uint8(0), int64(0), math.MaxFloat64, s, uint8(3), s, 0.5, uint64(7), uint16(100))
	f.Add(uint8(0), int64(1), math.SmallestNonzeroFloat64, s, uint8(2), s, 0.5, uint64(7), uint16(100))
	f.Add(uint8(0), s, 2.0, int64(1), uint8(5), s, math.MaxFloat64, uint64(7), uint16(100))
	f.Add(uint8(1), s, 2.0, s, uint8(6), s, math.SmallestNonzeroFloat64, uint64(7), uint16(100))

	f.Fuzz(func(t *testing.T, kind uint8, base int64, factor float64, limit int64, jitter uint8, addition int64,
		ratio float64, seed uint64, steps uint16) {
		// Option parsing rules these out.
		if base < 0 || limit < 0 || addition < 0 || !(factor > 0 && factor <= math.MaxFloat64) ||
			!(ratio > 0 && ratio <= math.MaxFloat64) {
			t.Skip()
		}
		b, c := time.Duration(base), time.Duration(limit)
		backoffs := []Backoff{Exponential{b, factor}, Constant(b), Linear(b), Fibonacci(b), Delays{b, c, b / 2}}
		jitters := []Jitter{None{}, Full{}, Equal{}, Decorrelated{}, Additive(addition), Normal(ratio),
			Proportional(min(ratio, 1))}
		schedule := Schedule{backoffs[int(kind)%len(backoffs)], jitters[int(jitter)%len(jitters)], c}
		checkLaws(t, schedule, seed, int(steps))
	})
}

func checkLaws(t *testing.T, schedule Schedule, seed uint64, steps int) {
	t.Helper()
	_, normal := schedule.Jitter.(Normal)
	sequence, again := schedule.Start(NewRand(seed, SleepStream)), schedule.Start(NewRand(seed, SleepStream))
	for n := 1; n <= steps; n++ {
		sleep := sequence.Next()
		if sleep < 0 {
			t.Fatalf("%+v: sleep %d is %d", schedule, n, sleep)
		}
		if schedule.Cap > 0 && sleep > schedule.Cap && !normal {
			t.Fatalf("%+v: sleep %d is %d, above the cap", schedule, n, sleep)
		}
		if repeated := again.Next(); repeated != sleep {
			t.Fatalf("%+v: sleep %d is %d, and %d with the same seed", schedule, n, sleep, repeated)
		}
	}
}

// A delay is never negative, for any retry number.
func FuzzDelay(f *testing.F) {
	f.Add(int64(time.Second), 2.0, math.MaxInt)
	f.Add(int64(forever), 0.999, 1)
	f.Add(int64(0), math.MaxFloat64, 3)
	f.Fuzz(func(t *testing.T, base int64, factor float64, n int) {
		if base < 0 || n < 1 || !(factor > 0 && factor <= math.MaxFloat64) {
			t.Skip()
		}
		b := time.Duration(base)
		for _, backoff := range []Backoff{Exponential{b, factor}, Constant(b), Linear(b), Fibonacci(b), Delays{b}} {
			if delay := backoff.Delay(n); delay < 0 {
				t.Errorf("%#v.Delay(%d) = %d", backoff, n, delay)
			}
		}
	})
}

// A fitted sleep is within the room and never longer than before.
func FuzzFitDeadline(f *testing.F) {
	f.Add(int64(time.Minute), int64(time.Second), true, uint64(1))
	f.Add(int64(forever), int64(forever-1), true, uint64(1))
	f.Add(int64(2), int64(1), true, uint64(1))
	f.Add(int64(1), int64(math.MinInt64), false, uint64(1))
	f.Fuzz(func(t *testing.T, sleep, room int64, jittered bool, seed uint64) {
		if sleep < 0 {
			t.Skip()
		}
		rng := NewRand(seed, DeadlineStream)
		fitted, ok := FitDeadline(time.Duration(sleep), time.Duration(room), jittered, rng)
		if ok != (room > 0) {
			t.Fatalf("room %d: ok %v", room, ok)
		}
		if fitted < 0 || int64(fitted) > sleep || (ok && int64(fitted) > room) {
			t.Errorf("sleep %d, room %d: fitted %d", sleep, room, fitted)
		}
	})
}

// A parsed duration is never negative. It can be parsed again from time.Duration's format, with the same result, and from
// the format of retry's messages.
func FuzzParseDuration(f *testing.F) {
	for _, text := range []string{
		"", "90", "1.5", "1e3", "1m30s", "250ms", "1h0m1s", "2d", "1d12h", "-1s", "-0", "1µs", "1μs", "0x1p3s", "infs",
		"9223372036854775807ns", "2562047h47m16.854775807s", "106751d23h47m16.854775807s", "1e400", "1e-400",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			if d != 0 || err.Error() == "" {
				t.Errorf("ParseDuration(%q) = %v with the error %q", text, d, err)
			}
			return
		}
		if d < 0 {
			t.Fatalf("ParseDuration(%q) = %v", text, d)
		}
		if again, err := ParseDuration(d.String()); err != nil || again != d {
			t.Errorf("%q is %v, which reads as %v, %v", text, d, again, err)
		}
		if _, err := ParseDuration(FormatDuration(d)); err != nil {
			t.Errorf("%q is written as %s: %v", text, FormatDuration(d), err)
		}
	})
}

// A formatted duration is off by at most half of its last digit.
func FuzzFormatDuration(f *testing.F) {
	for _, d := range []time.Duration{0, 1, 999500, time.Minute - 1, time.Hour, 51*time.Hour + 4*time.Minute} {
		f.Add(int64(d))
	}
	f.Fuzz(func(t *testing.T, nanoseconds int64) {
		d := time.Duration(nanoseconds)
		if d < 0 {
			t.Skip()
		}
		text := FormatDuration(d)
		got, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		var fits bool
		switch {
		case d < time.Millisecond:
			fits = (got - d).Abs() <= time.Microsecond/2
		case d < time.Minute:
			fits = (got - d).Abs() <= time.Millisecond/2
		default: // whole seconds that have passed
			fits = got == d.Truncate(time.Second)
		}
		if !fits {
			t.Errorf("%v is written as %s", d, text)
		}
	})
}

// A formatted jitter can be parsed again.
func FuzzParseJitter(f *testing.F) {
	for _, text := range []string{
		"none", "full", "equal", "decorrelated", "additive", "additive=250ms", "normal", "normal=0.3", "normal=1e300",
		"proportional", "proportional=1", "proportional=5e-324", "full=1", "normal=", "additive=2d", "=", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		jitter, err := ParseJitter(text)
		if err != nil {
			return
		}
		if again, err := ParseJitter(jitter.String()); err != nil || again != jitter {
			t.Errorf("%q is %v, which reads as %v, %v", text, jitter, again, err)
		}
	})
}

// A formatted rule can be parsed again and means the same.
func FuzzParseRule(f *testing.F) {
	for _, text := range []string{
		"0", "0,3,10-19", "any", "code:1, 2", "code:any,7", "signal:KILL,SIGSEGV,15", "timeout", "timeout:", "code:",
		"signal:", "1-", "-1", "19-10", "denied", "",
	} {
		f.Add(text)
	}
	outcomes := []Outcome{timedOut, idle, notFound, notExecutable, killed("SIGKILL"), killed("SIGSEGV"), killed("SIGTERM")}
	for status := range 256 {
		outcomes = append(outcomes, exited(status))
	}
	f.Fuzz(func(t *testing.T, text string) {
		rule, err := ParseRule(text, signalNumber)
		if err != nil {
			return
		}
		again, err := ParseRule(rule.String(), signalNumber)
		if err != nil || again.String() != rule.String() {
			t.Fatalf("%q is %v, which reads as %v, %v", text, rule, again, err)
		}
		for _, outcome := range outcomes {
			if rule.Match(outcome) != again.Match(outcome) {
				t.Errorf("%q and %v differ on %v", text, again, outcome)
			}
		}
	})
}
