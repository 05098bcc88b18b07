package policy

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		text string
		want time.Duration
	}{
		{"0", 0},
		{"0s", 0},
		{"0d", 0},
		{"90", 90 * time.Second},
		{"1.5", 1500 * time.Millisecond},
		{".5", 500 * time.Millisecond},
		{"1.", time.Second},
		{"007", 7 * time.Second},
		{"+5", 5 * time.Second},
		{"1e3", 1000 * time.Second},
		{"1E-3", time.Millisecond},
		{"0.000000001", 1},
		{"0.0000000004", 0},
		{"0.0000000006", 1},
		{"1e-400", 0},
		{"9223372036", 9223372036 * time.Second},
		{"1m30s", 90 * time.Second},
		{"250ms", 250 * time.Millisecond},
		{"1h2m3.004005006s", time.Hour + 2*time.Minute + 3004005006},
		{"1us", time.Microsecond},
		{"1µs", time.Microsecond}, // U+00B5, micro sign
		{"1μs", time.Microsecond}, // U+03BC, Greek letter mu
		{"1ns", 1},
		{"9223372036854775807ns", forever},
		{"2562047h47m16.854775807s", forever},
		{"2d", 2 * day},
		{"1.5d", 36 * time.Hour},
		{"1e2d", 100 * day},
		{"1d12h", 36 * time.Hour},
		{"1d1h1m1s1ms", day + time.Hour + time.Minute + time.Second + time.Millisecond},
		{"0d5s", 5 * time.Second},
		{"106751d", 106751 * day},
		{"5sec", 5 * time.Second},
		{"90secs", 90 * time.Second},
		{"1min30seconds", 90 * time.Second},
		{"2minutes", 2 * time.Minute},
		{"1.5hr", 90 * time.Minute},
		{"2days", 2 * day},
		{"1day12hours", 36 * time.Hour},
		{"106751d23h47m16s", 106751*day + 23*time.Hour + 47*time.Minute + 16*time.Second},
	}
	for _, test := range tests {
		if got, err := ParseDuration(test.text); err != nil || got != test.want {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
	}
}

func TestParseDurationErrors(t *testing.T) {
	const (
		form     = ` is not a duration; use 90s, 1m30s, 250ms, 2d or a number of seconds`
		tooLong  = ` is too long: the longest duration is 292 years`
		negative = ` is negative`
	)
	tests := []struct{ text, want string }{
		{"", `""` + form},
		{" ", `" "` + form},
		{" 5", `" 5"` + form},
		{"5 s", `"5 s"` + form},
		{"soon", `"soon"` + form},
		{"s", `"s"` + form},
		{"d", `"d"` + form},
		{"d5s", `"d5s"` + form},
		{"1x", `"1x"` + form},
		{"1month", `"1month"` + form},
		{"min", `"min"` + form},
		{"1,5", `"1,5"` + form},
		{"1.5.1", `"1.5.1"` + form},
		{"1-2", `"1-2"` + form},
		{"-", `"-"` + form},
		{"--5", `"--5"` + form},
		{".", `"."` + form},
		{"e", `"e"` + form},
		{"0x10", `"0x10"` + form},
		{"inf", `"inf"` + form},
		{"NaN", `"NaN"` + form},
		{"1w", `"1w"` + form},
		{"1S", `"1S"` + form},
		{"1d1d", `"1d1d"` + form},
		{"1d30", `"1d30"` + form},
		{"1d-1h", `"1d-1h"` + form},
		{"12h1d", `"12h1d"` + form},
		{"1\ns", `"1\ns"` + form},
		{"9223372037", `"9223372037"` + tooLong},
		{"9223372036.854775807", `"9223372036.854775807"` + tooLong},
		{"1e10", `"1e10"` + tooLong},
		{"1e400", `"1e400"` + tooLong},
		{"2562048h", `"2562048h"` + tooLong},
		{"9223372036854775808ns", `"9223372036854775808ns"` + tooLong},
		{"99999999999999999999s", `"99999999999999999999s"` + tooLong},
		{"106752d", `"106752d"` + tooLong},
		{"106751d24h", `"106751d24h"` + tooLong},
		{"1e400d", `"1e400d"` + tooLong},
		{"-1", `"-1"` + negative},
		{"-0.5", `"-0.5"` + negative},
		{"-1s", `"-1s"` + negative},
		{"-1m30s", `"-1m30s"` + negative},
		{"-1d", `"-1d"` + negative},
		{"-1d1h", `"-1d1h"` + negative},
		{"-0", `"-0"` + negative},
		{"-1e99", `"-1e99"` + negative},
		{"-1e400", `"-1e400"` + negative},
		{"-99999999999999h", `"-99999999999999h"` + negative},
		{"1d9999999999h", `"1d9999999999h"` + tooLong},
		{"1h99999999999999999999m", `"1h99999999999999999999m"` + tooLong},
		{"1e3s", `"1e3s"` + form},
		{"infs", `"infs"` + form},
		{"0x1p3s", `"0x1p3s"` + form},
	}
	for _, test := range tests {
		if got, err := ParseDuration(test.text); err == nil || err.Error() != test.want {
			t.Errorf("ParseDuration(%q) = %v, %v, want the error %s", test.text, got, err, test.want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{499, "0s"},
		{500, "1µs"},
		{85 * time.Microsecond, "85µs"},
		{999499, "999µs"},
		{999500, "1ms"},
		{131400 * time.Microsecond, "131ms"},
		{1500 * time.Microsecond, "2ms"},
		{time.Second, "1s"},
		{1734 * time.Millisecond, "1.734s"},
		{1734499 * time.Microsecond, "1.734s"},
		{1734500 * time.Microsecond, "1.735s"},
		{1500 * time.Millisecond, "1.5s"},
		{10 * time.Second, "10s"},
		{59999 * time.Millisecond, "59.999s"},
		{59999500 * time.Microsecond, "1m"},
		{time.Minute, "1m"},
		{time.Minute + 499*time.Millisecond, "1m"},
		{time.Minute + 999*time.Millisecond, "1m"},
		{121500 * time.Millisecond, "2m1s"},
		{2*time.Minute + 3*time.Second, "2m3s"},
		{10 * time.Minute, "10m"},
		{time.Minute + 10*time.Second, "1m10s"},
		{time.Hour, "1h"},
		{time.Hour - time.Millisecond, "59m59s"},
		{forever, "2562047h47m16s"},
		{10 * time.Hour, "10h"},
		{time.Hour + 10*time.Minute, "1h10m"},
		{time.Hour + time.Second, "1h0m1s"},
		{100*time.Hour + time.Minute, "100h1m"},
		{51*time.Hour + 4*time.Minute, "51h4m"},
	}
	for _, test := range tests {
		if got := FormatDuration(test.d); got != test.want {
			t.Errorf("FormatDuration(%v) = %s, want %s", test.d, got, test.want)
		}
	}
}
