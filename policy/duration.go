package policy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// forever is the longest duration there is, about 292 years; everything that would be longer saturates to it.
const forever = time.Duration(math.MaxInt64)

var (
	errDuration = errors.New("not a duration")
	errTooLong  = errors.New("too long")
)

// ParseDuration reads a duration of zero or more: Go's form (1m30s, 250ms), a bare number of seconds as in sleep(1)
// (90, 1.5), and days, alone or before the rest (2d, 1d12h).
func ParseDuration(text string) (time.Duration, error) {
	d, err := parseDuration(text)
	switch {
	case errors.Is(err, errTooLong):
		return 0, fmt.Errorf("%q is too long: the longest duration is 292 years", text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration: write 90s, 1m30s, 250ms, 2d or a number of seconds", text)
	case d < 0 || strings.HasPrefix(text, "-"):
		return 0, fmt.Errorf("%q is negative", text)
	}
	return d, nil
}

func parseDuration(text string) (time.Duration, error) {
	if seconds, err := parseNumber(text); !errors.Is(err, errDuration) {
		return seconds, err
	}
	days, rest, found := strings.Cut(text, "d")
	if !found {
		return parseUnits(text)
	}
	whole, err := parseNumber(days)
	if err != nil {
		return 0, err
	}
	d := scale(whole, 24*60*60)
	if rest != "" {
		more, err := parseUnits(rest)
		if err != nil || more < 0 {
			return 0, errDuration
		}
		d = add(d, more)
	}
	if d == forever {
		return 0, errTooLong
	}
	return d, nil
}

// parseNumber reads a decimal number of seconds.
func parseNumber(text string) (time.Duration, error) {
	if text == "" || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, errDuration
	}
	seconds, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && math.IsInf(seconds, 0), seconds*1e9 >= math.MaxInt64:
		return 0, errTooLong
	case err != nil:
		return 0, errDuration
	}
	return time.Duration(math.Round(seconds * 1e9)), nil
}

// parseUnits reads Go's form. time.ParseDuration does not say which of its errors is an overflow, so a number with
// its unit that is only too large is told by its shape.
func parseUnits(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err == nil {
		return d, nil
	}
	number := strings.TrimRight(text, "hmsnuµ")
	if _, err := strconv.ParseFloat(number, 64); err == nil && number != text && !strings.HasSuffix(number, "-") {
		if _, err := time.ParseDuration("1" + text[len(number):]); err == nil {
			return 0, errTooLong
		}
	}
	return 0, errDuration
}

// FormatDuration writes d as retry's lines do: 85µs, 131ms, 1.734s, 2m3s, 51h4m. It rounds to three decimals of the
// unit below a minute and to the second from there.
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		d = d.Round(time.Microsecond)
	case d < time.Minute:
		d = d.Round(time.Millisecond)
	default:
		d = d.Round(time.Second)
	}
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// scale multiplies d by f, which must not be negative, and saturates.
func scale(d time.Duration, f float64) time.Duration {
	if d <= 0 {
		return 0
	}
	return saturate(float64(d) * f)
}

// saturate turns nanoseconds into a duration between zero and forever.
func saturate(nanoseconds float64) time.Duration {
	switch {
	case nanoseconds >= math.MaxInt64:
		return forever
	case nanoseconds > 0:
		return time.Duration(nanoseconds)
	}
	return 0
}

// add adds two durations, neither negative, and saturates.
func add(a, b time.Duration) time.Duration {
	if a > forever-b {
		return forever
	}
	return a + b
}
