package policy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// forever is the longest duration, about 292 years. Anything longer saturates to it.
const forever = time.Duration(math.MaxInt64)

var (
	errDuration = errors.New("not a duration")
	errTooLong  = errors.New("too long")
)

// ParseDuration parses a duration of zero or more: Go's form (1m30s, 250ms), a bare number of seconds as in sleep(1)
// (90, 1.5), and days, alone or before the rest (2d, 1d12h). Units may be spelled out (5sec, 1min30secs, 2days).
func ParseDuration(text string) (time.Duration, error) {
	positive, negative := strings.CutPrefix(text, "-")
	positive = strings.TrimPrefix(positive, "+")
	d, err := parseDuration(positive)
	if err == errDuration {
		d, err = parseDuration(abbreviated(positive))
	}
	switch {
	case err == errDuration:
		return 0, fmt.Errorf("%q is not a duration; use 90s, 1m30s, 250ms, 2d or a number of seconds", text)
	case negative:
		return 0, fmt.Errorf("%q is negative", text)
	case err != nil:
		return 0, fmt.Errorf("%q is too long: the longest duration is 292 years", text)
	}
	return d, nil
}

// abbreviated replaces units that are spelled out with Go's, or d.
func abbreviated(text string) string {
	var short strings.Builder
	for rest := text; rest != ""; {
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
		rest = rest[len(number):]
		unit := rest[:firstOf(rest, "0123456789.")]
		rest = rest[len(unit):]
		short.WriteString(number + shortUnit(unit))
	}
	return short.String()
}

// shortUnit returns Go's name of a unit, or d for days. It returns any other text unchanged.
func shortUnit(unit string) string {
	switch unit {
	case "sec", "secs", "second", "seconds":
		return "s"
	case "min", "mins", "minute", "minutes":
		return "m"
	case "hr", "hrs", "hour", "hours":
		return "h"
	case "day", "days":
		return "d"
	}
	return unit
}

func parseDuration(text string) (time.Duration, error) {
	days, rest, found := strings.Cut(text, "d")
	switch {
	case !found && strings.Trim(text, "0123456789.eE+-") == "":
		return parseNumber(text, time.Second)
	case !found:
		return parseUnits(text)
	}
	d, err := parseNumber(days, 24*time.Hour)
	if err != nil || rest == "" {
		return d, err
	}
	more, err := parseUnits(rest)
	if err == nil && add(d, more) == forever {
		err = errTooLong
	}
	return add(d, more), err
}

// parseNumber parses a decimal number of units.
func parseNumber(text string, unit time.Duration) (time.Duration, error) {
	number, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(number, 0), strings.Trim(text, "0123456789.eE+-") != "":
		return 0, errDuration
	case number < 0:
		return 0, errDuration
	case number*float64(unit) >= math.MaxInt64:
		return 0, errTooLong
	}
	return time.Duration(math.Round(number * float64(unit))), nil
}

// parseUnits parses Go's form without a sign. time.ParseDuration doesn't tell overflow from its other errors, so
// parseUnits checks the syntax first.
func parseUnits(text string) (time.Duration, error) {
	for rest := text; ; {
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
		rest = rest[len(number):]
		unit := rest[:len(rest)-len(strings.TrimLeft(rest, "hmsnuµμ"))]
		rest = rest[len(unit):]
		if _, err := time.ParseDuration("1" + unit); err != nil || strings.Trim(number, ".") == "" || strings.Count(number, ".") > 1 {
			return 0, errDuration
		}
		if rest == "" {
			break
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, errTooLong
	}
	return d, nil
}

// FormatDuration formats d for retry's messages: 85µs, 131ms, 1.734s, 2m3s, 51h4m. Below a millisecond it rounds to
// microseconds, below a minute to milliseconds; from a minute on it truncates to seconds, as a clock does.
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		d = d.Round(time.Microsecond)
	case d < time.Minute:
		d = d.Round(time.Millisecond)
	default:
		d = d.Truncate(time.Second)
	}
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// scale returns d·f, saturated. f must not be negative.
func scale(d time.Duration, f float64) time.Duration {
	return saturate(float64(d) * f)
}

// saturate converts nanoseconds to a duration, limited to between zero and forever.
func saturate(nanoseconds float64) time.Duration {
	switch {
	case nanoseconds >= math.MaxInt64:
		return forever
	case nanoseconds > 0:
		return time.Duration(nanoseconds)
	}
	return 0 // NaN too
}

// add returns a+b, saturated. Neither may be negative.
func add(a, b time.Duration) time.Duration {
	return min(a, forever-b) + b
}
