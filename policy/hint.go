package policy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Why a hint is ignored.
var (
	errNoHint       = errors.New("it is neither a time to wait nor a date")
	errNegativeHint = errors.New("it is negative")
	errPastHint     = errors.New("it is in the past")
	errHugeHint     = errors.New("it is too long")
)

// ParseRetryAfter reads the value of a Retry-After field: a number of seconds or a date in one of the three forms that
// RFC 9110 (5.6.7, 10.2.3) wants recipients to know, or a duration in Go's form, as docker prints it. What follows
// after a comma, a semicolon or a blank belongs to the line it stands in. now is the wall clock's time, for dates.
func ParseRetryAfter(text string, now time.Time) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if date, err := parseDate(text); err == nil {
		return untilDate(date, now)
	}
	text = strings.TrimRight(text[:firstOf(text, ",; \t")], ".)\"'")
	if digits := strings.TrimLeft(text, "+-"); strings.Trim(digits, "0123456789.") == "" && strings.Contains(digits, ".") {
		return 0, errNoHint // seconds are whole
	}
	return hintDuration(text)
}

// ParseHint reads what a pattern of the user's found: the same, a number of seconds with a fraction, a time of RFC 3339,
// or a number of seconds or milliseconds since 1970, which is told by its size.
func ParseHint(text string, now time.Time) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if date, err := time.Parse(time.RFC3339, text); err == nil {
		return untilDate(date, now)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= epochLeast && n < 1e15 {
		if n >= 1e12 {
			n /= 1000
		}
		whole, part := math.Modf(n)
		return untilDate(time.Unix(int64(whole), int64(part*1e9)), now)
	}
	if d, err := hintDuration(text); err != errNoHint {
		return d, err
	}
	return ParseRetryAfter(text, now)
}

// epochLeast is the least number of seconds that is taken for a time since 1970: as a wait it would be over 30 years.
const epochLeast = 1e9

// firstOf is the index of the first of some bytes, or the length.
func firstOf(text, bytes string) int {
	if i := strings.IndexAny(text, bytes); i >= 0 {
		return i
	}
	return len(text)
}

// hintDuration reads a duration, a bare number being one of seconds.
func hintDuration(text string) (time.Duration, error) {
	d, err := parseDuration(strings.TrimLeft(text, "+-"))
	switch {
	case err == errDuration:
		return 0, errNoHint
	case strings.HasPrefix(text, "-") && (d > 0 || err != nil):
		return 0, errNegativeHint
	case err != nil:
		return 0, errHugeHint
	}
	return d, nil
}

// parseDate reads the forms of RFC 9110 5.6.7: IMF-fixdate, and the obsolete ones of RFC 850 and of asctime. A longer
// text may follow.
func parseDate(text string) (time.Time, error) {
	const fixdate, asctime = "Mon, 02 Jan 2006 15:04:05 GMT", time.ANSIC
	for _, layout := range []string{fixdate, asctime} {
		if len(text) >= len(layout) {
			if date, err := time.Parse(layout, text[:len(layout)]); err == nil {
				return date, nil
			}
		}
	}
	const rfc850 = "Monday, 02-Jan-06 15:04:05 GMT"
	if end := strings.Index(text, " GMT"); end >= 0 {
		return time.Parse(rfc850, text[:end+len(" GMT")])
	}
	return time.Time{}, errNoHint
}

// untilDate is the time left. Its resolution is that of dates: what is over by less than a second is no wait.
func untilDate(date, now time.Time) (time.Duration, error) {
	d := date.Sub(now)
	switch {
	case d == forever:
		return 0, errHugeHint
	case d <= -time.Second:
		return 0, errPastHint
	}
	return max(0, d), nil
}

// RaiseToHint is the sleep where a server has asked for a wait: that wait and up to a tenth more, so that a crowd that
// was told the same does not come back together, or the schedule's own sleep where that is longer.
func RaiseToHint(sleep, hint time.Duration, rng *rand.Rand) time.Duration {
	if hint <= 0 {
		return sleep
	}
	return max(sleep, add(hint, uniform(0, hint/10, rng)))
}
