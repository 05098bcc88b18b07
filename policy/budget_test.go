package policy

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// apart reports whether two numbers differ by more than rounding errors.
func apart(a, b float64) bool { return !(math.Abs(a-b) <= 1e-9) }

func TestBudgetTake(t *testing.T) {
	const now = time.Hour
	tests := []struct {
		name   string
		budget Budget
		bucket Bucket
		tokens float64
		ok     bool
	}{
		{"full", Budget{Tokens: 3}, Bucket{Tokens: 3, At: now}, 2, true},
		{"the last one", Budget{Tokens: 3}, Bucket{Tokens: 1, At: now}, 0, true},
		{"less than one", Budget{Tokens: 3}, Bucket{Tokens: 0.999, At: now}, 0.999, false},
		{"nothing", Budget{Tokens: 3}, Bucket{At: now}, 0, false},
		{"refilled before", Budget{Tokens: 3, Refill: 0.5}, Bucket{At: now - 3*time.Second}, 0.5, true},
		{"not refilled enough", Budget{Tokens: 3, Refill: 0.5}, Bucket{At: now - time.Second}, 0.5, false},
		{"never more than full", Budget{Tokens: 3, Refill: 1e9}, Bucket{Tokens: 3}, 2, true},
		{"more than full", Budget{Tokens: 3}, Bucket{Tokens: 1e9, At: now}, 2, true},
		{"less than nothing", Budget{Tokens: 3}, Bucket{Tokens: -2, At: now}, 0, false},
		{"rounded down", Budget{Tokens: 3}, Bucket{Tokens: math.Nextafter(1, 0), At: now}, 0, true},
		{"the clock went back", Budget{Tokens: 3, Refill: 1}, Bucket{Tokens: 2, At: 2 * now}, 1, true},
	}
	for _, test := range tests {
		after, ok := test.budget.Take(test.bucket, now)
		if ok != test.ok || apart(after.Tokens, test.tokens) || after.Tokens < 0 {
			t.Errorf("%s: %v, %v, want %v, %v", test.name, after.Tokens, ok, test.tokens, test.ok)
		}
		if want := max(now, test.bucket.At); after.At != want {
			t.Errorf("%s: the bucket is of %v, want %v", test.name, after.At, want)
		}
	}
}

func TestBudgetRefilled(t *testing.T) {
	tests := []struct {
		name    string
		budget  Budget
		bucket  Bucket
		now     time.Duration
		tokens  float64
		atStays bool
	}{
		{"at once", Budget{10, 0.1, 1}, Bucket{Tokens: 2, At: 5}, 5, 2, true},
		{"a minute", Budget{10, 0.1, 1.0 / 60}, Bucket{Tokens: 2}, time.Minute, 3, false},
		{"up to full", Budget{10, 0.1, 1.0 / 60}, Bucket{Tokens: 2}, time.Hour, 10, false},
		{"no refill", Budget{10, 0.1, 0}, Bucket{Tokens: 2}, forever, 2, false},
		{"back", Budget{10, 0.1, 1}, Bucket{Tokens: 2, At: time.Hour}, 0, 2, true},
		{"back, more than full", Budget{10, 0.1, 1}, Bucket{Tokens: 20, At: time.Hour}, 0, 10, true},
		{"back, less than nothing", Budget{10, 0.1, 1}, Bucket{Tokens: -20, At: time.Hour}, 0, 0, true},
		{"longer than any duration", Budget{1e9, 0, 1e-9}, Bucket{At: -forever}, forever, forever.Seconds() / 1e9, false},
		{"the most of all", Budget{1e9, 1e9, 1e9}, Bucket{Tokens: 1e9}, forever, 1e9, false},
	}
	for _, test := range tests {
		after := test.budget.Refilled(test.bucket, test.now)
		if apart(after.Tokens, test.tokens) {
			t.Errorf("%s: %v, want %v", test.name, after.Tokens, test.tokens)
		}
		if (after.At == test.bucket.At) != test.atStays || (!test.atStays && after.At != test.now) {
			t.Errorf("%s: the bucket is of %v", test.name, after.At)
		}
	}
}

func TestBudgetGiveBack(t *testing.T) {
	tests := []struct {
		name   string
		budget Budget
		bucket Bucket
		now    time.Duration
		tokens float64
	}{
		{"a fraction", Budget{10, 0.1, 0}, Bucket{Tokens: 2}, 0, 2.1},
		{"nothing", Budget{10, 0, 0}, Bucket{Tokens: 2}, 0, 2},
		{"more than one", Budget{10, 3, 0}, Bucket{Tokens: 2}, 0, 5},
		{"up to full", Budget{10, 0.5, 0}, Bucket{Tokens: 9.7}, 0, 10},
		{"full", Budget{10, 0.5, 0}, Bucket{Tokens: 10}, 0, 10},
		{"and time", Budget{10, 0.5, 1}, Bucket{Tokens: 2}, 3 * time.Second, 5.5},
		{"the clock went back", Budget{10, 0.5, 1}, Bucket{Tokens: 2, At: time.Hour}, 0, 2.5},
	}
	for _, test := range tests {
		if after := test.budget.GiveBack(test.bucket, test.now); apart(after.Tokens, test.tokens) {
			t.Errorf("%s: %v, want %v", test.name, after.Tokens, test.tokens)
		}
	}
}

// Refunds that add up to a token allow a retry, whatever the rounding errors of the sum.
func TestBudgetRefundsMakeAToken(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 10, 49, 100, 1000, 12345} {
		b := Budget{Tokens: 10, Refund: 1 / float64(n)}
		k := Bucket{}
		for i := range n {
			if _, ok := b.Take(k, 0); ok {
				t.Errorf("refund 1/%d: a retry after %d successes", n, i)
			}
			k = b.GiveBack(k, 0)
		}
		if k, ok := b.Take(k, 0); !ok || apart(k.Tokens, 0) {
			t.Errorf("refund 1/%d: after as many successes: %v, %v tokens are left", n, ok, k.Tokens)
		}
	}
}

// A bucket is only held if a server asked for it.
func TestBucketHold(t *testing.T) {
	tests := []struct {
		name         string
		held, now, d time.Duration
		want         time.Duration
	}{
		{"the first", 0, 100, 50, 150},
		{"longer", 120, 100, 50, 150},
		{"shorter", 170, 100, 50, 170},
		{"over", 90, 100, 50, 150},
		{"for no time", 90, 100, 0, 90},
		{"for less than none", 0, 100, -50, 0},
		{"for ever", 0, 100, forever, forever},
		{"at the end of time", 0, forever, 1, forever},
	}
	for _, test := range tests {
		before := Bucket{Tokens: 3, At: 7, Held: test.held}
		want := Bucket{Tokens: 3, At: 7, Held: test.want}
		if after := before.Hold(test.now, test.d); after != want {
			t.Errorf("%s: %+v, want %+v", test.name, after, want)
		}
	}
	if k := StandardBudget().Full(time.Hour); k != (Bucket{Tokens: 10, At: time.Hour}) {
		t.Errorf("a full bucket is %+v", k)
	}
}

func TestParseBudget(t *testing.T) {
	standard := StandardBudget()
	tests := []struct {
		text string
		want Budget
	}{
		{"tokens=5", Budget{5, standard.Refund, standard.Refill}},
		{"refund=0", Budget{10, 0, standard.Refill}},
		{"refill=0", Budget{10, 0.1, 0}},
		{"refill=0/1m", Budget{10, 0.1, 0}},
		{"refill=3/2", Budget{10, 0.1, 1.5}},
		{"refill=0.5/1m30s", Budget{10, 0.1, 0.5 / 90}},
		{"refill=1/1d", Budget{10, 0.1, 1.0 / 86400}},
		{"refill=1e9/1ns", Budget{10, 0.1, 1e9}},
		{"tokens=1, refund=1e9 ,refill=1/1s", Budget{1, 1e9, 1}},
		{"tokens=2.5,refund=.25,refill=2/1m", Budget{2.5, 0.25, 2.0 / 60}},
		{"tokens=1e9", Budget{1e9, 0.1, 1.0 / 60}},
	}
	for _, test := range tests {
		if got, err := ParseBudget(test.text, nil); err != nil || got != test.want {
			t.Errorf("ParseBudget(%q) = %+v, %v, want %+v", test.text, got, err, test.want)
		}
	}
}

func TestParseBudgetErrors(t *testing.T) {
	const known = "; use tokens=10, refund=0.1 or refill=1/1m"
	tests := []struct{ text, want string }{
		{"", `unknown parameter ""` + known},
		{",", `unknown parameter ""` + known},
		{"tokens=5,", `unknown parameter ""` + known},
		{"5", `unknown parameter "5"` + known},
		{"tokens", `unknown parameter "tokens"` + known},
		{"Tokens=5", `unknown parameter "Tokens=5"` + known},
		{"size=5", `unknown parameter "size=5"` + known},
		{"tokens=", `tokens: "" is not a number from 1 to 1000000000`},
		{"tokens=0.9", `tokens: "0.9" is not a number from 1 to 1000000000`},
		{"tokens=-5", `tokens: "-5" is not a number from 1 to 1000000000`},
		{"tokens=2e9", `tokens: "2e9" is not a number from 1 to 1000000000`},
		{"tokens=NaN", `tokens: "NaN" is not a number from 1 to 1000000000`},
		{"tokens=inf", `tokens: "inf" is not a number from 1 to 1000000000`},
		{"tokens=0x10", `tokens: "0x10" is not a number from 1 to 1000000000`},
		{"tokens=1_0", `tokens: "1_0" is not a number from 1 to 1000000000`},
		{"tokens=5,tokens=6", `tokens: given twice`},
		{"refund=-0.1", `refund: "-0.1" is not a number from 0 to 1000000000`},
		{"refund=many", `refund: "many" is not a number from 0 to 1000000000`},
		{"refill=1", `refill: "1" is not TOKENS/DURATION; use 1/1m, or 0 for none`},
		{"refill=", `refill: "" is not TOKENS/DURATION; use 1/1m, or 0 for none`},
		{"refill=x/1m", `refill: "x" is not a number from 0 to 1000000000`},
		{"refill=1/0", `refill: the duration of "1/0" is 0`},
		{"refill=1/1e-12", `refill: the duration of "1/1e-12" is 0`},
		{"refill=1/-1s", `refill: "-1s" is negative`},
		{"refill=1/m", `refill: "m" is not a duration; use 90s, 1m30s, 250ms, 2d or a number of seconds`},
		{"name=", `name: too short`},
		{"name=a,name=b", `name: given twice`},
	}
	others := map[string]func(string) error{"name": func(text string) error {
		if text == "" {
			return errors.New("too short")
		}
		return nil
	}}
	for _, test := range tests {
		if b, err := ParseBudget(test.text, others); err == nil || err.Error() != test.want {
			t.Errorf("ParseBudget(%q) = %+v, %v, want %s", test.text, b, err, test.want)
		}
	}
}

// The caller's parameters are parsed along with the budget's.
func TestParseBudgetOthers(t *testing.T) {
	got := map[string]string{}
	others := map[string]func(string) error{}
	for _, name := range []string{"name", "file"} {
		others[name] = func(text string) error { got[name] = text; return nil }
	}
	b, err := ParseBudget("name=ci,tokens=5,file=/a=b", others)
	if err != nil || b.Tokens != 5 || !maps.Equal(got, map[string]string{"name": "ci", "file": "/a=b"}) {
		t.Errorf("%+v, %v, %v", b, got, err)
	}
}

// A parsed budget has room for a token and never loses one by itself; an error names the parameter.
func FuzzParseBudget(f *testing.F) {
	for _, text := range []string{
		"", "tokens=5", "tokens=1e9,refund=1e9,refill=1e9/1ns", "refill=0", "refill=1/1d12h", "tokens=NaN", "refund=-0",
		"refill=1e-300/292y", "tokens=5,tokens=5", " tokens=0x1p3", "refill=/", "=", "tokens==1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBudget(text, nil)
		if err != nil {
			named := func(p budgetParameter) bool { return strings.HasPrefix(err.Error(), p.name+": ") }
			if !slices.ContainsFunc(budgetParameters, named) && !strings.Contains(err.Error(), "unknown parameter") {
				t.Errorf("ParseBudget(%q): %v", text, err)
			}
			return
		}
		if !(b.Tokens >= 1 && b.Tokens <= mostTokens && b.Refund >= 0 && b.Refund <= mostTokens && b.Refill >= 0 &&
			b.Refill <= mostTokens) {
			t.Errorf("ParseBudget(%q) = %+v", text, b)
		}
	})
}

// Whatever the state and the clock, a bucket never holds less than zero tokens or more than its capacity, its time never
// goes back, and a retry costs one token.
func FuzzBudget(f *testing.F) {
	f.Add(10.0, 0.1, 1.0/60, 10.0, int64(0), int64(0), int64(time.Second), []byte{0, 1, 0, 2, 3})
	f.Add(1.0, 0.0, 0.0, -5.0, int64(forever), int64(math.MinInt64), int64(-1), []byte{0, 0, 1, 1})
	f.Add(1e9, 1e9, 1e9, 1e300, int64(math.MinInt64), int64(forever), int64(forever), []byte{1, 0, 2, 3, 0})
	f.Add(10.0, 0.1, 1e-9, math.Inf(1), int64(0), int64(5), int64(-7), []byte{3, 2, 1, 0})
	f.Fuzz(func(t *testing.T, size, refund, refill, tokens float64, at, now, step int64, acts []byte) {
		// ParseBudget and the reader of a state rule these out.
		if !(size >= 1 && size <= mostTokens && refund >= 0 && refund <= mostTokens && refill >= 0 &&
			refill <= mostTokens) || math.IsNaN(tokens) {
			t.Skip()
		}
		b := Budget{size, refund, refill}
		k, clock := Bucket{Tokens: tokens, At: time.Duration(at)}, time.Duration(now)
		for _, act := range acts[:min(len(acts), 100)] {
			before, at, held := b.Refilled(k, clock), k.At, k.Held
			switch act % 4 {
			case 0:
				after, ok := b.Take(k, clock)
				if spent := before.Tokens - after.Tokens; ok != (before.Tokens >= wholeToken) || (ok && apart(spent, 1) &&
					before.Tokens < 1e6) || (!ok && spent != 0) {
					t.Fatalf("%+v: %v took %+v to %+v", b, ok, before, after)
				}
				k = after
			case 1:
				if k = b.GiveBack(k, clock); k.Tokens < before.Tokens {
					t.Fatalf("%+v: a success took %+v to %+v", b, before, k)
				}
			case 2:
				if k = b.Refilled(k, clock).Hold(clock, time.Duration(step)); k.Held < held || k.Tokens != before.Tokens {
					t.Fatalf("%+v: a hold of %d took %+v to %+v", b, step, before, k)
				}
			case 3:
				clock += time.Duration(step)
				k = b.Refilled(k, clock)
			}
			if !(k.Tokens >= 0 && k.Tokens <= b.Tokens) || k.At < at {
				t.Fatalf("%+v: %+v came of %+v", b, k, before)
			}
		}
	})
}
