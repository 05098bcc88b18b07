package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var hintNow = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

func TestParseRetryAfter(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  error
	}{
		{"120", 2 * time.Minute, nil},
		{"  7\t", 7 * time.Second, nil},
		{"0", 0, nil},
		{"+3", 3 * time.Second, nil},
		{"985.86µs, allowed: 44000/minute", 985860 * time.Nanosecond, nil}, // docker's
		{"1m30s", 90 * time.Second, nil},
		{"30; comment", 30 * time.Second, nil},
		{"5s.", 5 * time.Second, nil},
		{"2 minute(s)", 2 * time.Minute, nil},
		{"1 minute and 5 seconds", 65 * time.Second, nil},
		{"2 minutes, 3 attempts left", 2 * time.Minute, nil},
		{"30 remaining", 30 * time.Second, nil},
		{"2 fortnights", 0, errNoHint},
		{"3 months", 0, errNoHint},
		{"1 year", 0, errNoHint},
		{"9999999 hours", 0, errHugeHint},
		{"2562047 hours 47 minutes", 2562047*time.Hour + 47*time.Minute, nil},
		{"2562047 hours 48 minutes", 0, errHugeHint},
		{"Sat, 21 Nov 2026 10:02:00 GMT", 2 * time.Minute, nil},
		{"Saturday, 21-Nov-26 10:02:00 GMT", 2 * time.Minute, nil},
		{"Sat Nov 21 10:02:00 2026", 2 * time.Minute, nil},
		{"Sat, 21 Nov 2026 10:00:00 GMT", 0, nil},
		{"Sat, 21 Nov 2026 09:59:59 GMT", 0, errPastHint},
		{"Wed, 21 Oct 2015 07:28:00 GMT", 0, errPastHint},
		{"Wed, 21 Oct 9999 07:28:00 GMT", 0, errHugeHint},
		{"-0", 0, nil},
		{"-5", 0, errNegativeHint},
		{"-5m", 0, errNegativeHint},
		{"-99999999999999999999", 0, errNegativeHint},
		{"99999999999999999999", 0, errHugeHint},
		{"9999999h", 0, errHugeHint},
		{"1.5", 0, errNoHint},
		{"", 0, errNoHint},
		{"soon", 0, errNoHint},
		{"Sat, 31 Feb 2026 10:00:00 GMT", 0, errNoHint},
		{"12:30", 0, errNoHint},
		{"NaN", 0, errNoHint},
		{"Inf", 0, errNoHint},
	}
	for _, test := range tests {
		if got, err := ParseRetryAfter(test.text, hintNow); got != test.want || err != test.err {
			t.Errorf("ParseRetryAfter(%q) = %v, %v, want %v, %v", test.text, got, err, test.want, test.err)
		}
	}
}

func TestParseHint(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  error
	}{
		{"90", 90 * time.Second, nil},
		{"1.5", 1500 * time.Millisecond, nil},
		{"250ms", 250 * time.Millisecond, nil},
		{"1795255260", time.Minute, nil}, // GitHub's x-ratelimit-reset
		{"1795255260.5", time.Minute + time.Second/2, nil},
		{"1795255260250", time.Minute + time.Second/4, nil},
		{"1795255000", 0, errPastHint},
		{"999999999", 999999999 * time.Second, nil},
		{"1000000000", 0, errPastHint},    // seconds since 1970
		{"1000000000000", 0, errPastHint}, // milliseconds
		{"999999999999999", 0, errHugeHint},
		{"2026-11-21T10:01:00Z", time.Minute, nil},
		{"2026-11-21T11:01:00+01:00", time.Minute, nil},
		{"Sat, 21 Nov 2026 10:02:00 GMT", 2 * time.Minute, nil},
		{"-1", 0, errNegativeHint},
		{"1e300", 0, errHugeHint},
		{"tomorrow", 0, errNoHint},
	}
	for _, test := range tests {
		if got, err := ParseHint(test.text, hintNow); got != test.want || err != test.err {
			t.Errorf("ParseHint(%q) = %v, %v, want %v, %v", test.text, got, err, test.want, test.err)
		}
	}
}

func TestRaiseToHint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	least, most := forever, time.Duration(0)
	for range 10000 {
		d := RaiseToHint(time.Second, 10*time.Second, rng)
		least, most = min(least, d), max(most, d)
	}
	if least < 10*time.Second || least > 10010*time.Millisecond || most > 11*time.Second || most < 10990*time.Millisecond {
		t.Errorf("a hint of 10s gives %v to %v", least, most)
	}
	if d := RaiseToHint(time.Minute, 10*time.Second, rng); d != time.Minute {
		t.Errorf("a longer sleep became %v", d)
	}
	if d := RaiseToHint(time.Second, 0, rng); d != time.Second {
		t.Errorf("no hint made it %v", d)
	}
	if d := RaiseToHint(0, forever, rng); d != forever {
		t.Errorf("the longest hint made it %v", d)
	}
}

func FuzzHint(f *testing.F) {
	for _, text := range []string{"120", "-1", "985.86µs, allowed", "Sat, 21 Nov 2026 10:02:00 GMT", "1795255260250",
		"Saturday, 21-Nov-26 10:02:00 GMT", "2026-11-21T10:01:00Z", "1e999", "0x1p4", "1\f", "1\u00a0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, parse := range map[string]func(string, time.Time) (time.Duration, error){
			"ParseRetryAfter": ParseRetryAfter, "ParseHint": ParseHint,
		} {
			d, err := parse(text, hintNow)
			if d < 0 || (err != nil && d != 0) {
				t.Errorf("%s(%q) = %v, %v", name, text, d, err)
			}
			if again, _ := parse("  "+strings.TrimSpace(text), hintNow); again != d {
				t.Errorf("%s(%q) = %v, with blanks %v", name, text, d, again)
			}
		}
	})
}
