package policy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Reasons to ignore a hint.
var (
	errNoHint       = errors.New("it is neither a duration nor a date")
	errNegativeHint = errors.New("it is negative")
	errPastHint     = errors.New("it is in the past")
	errHugeHint     = errors.New("it is too long")
)

// ParseRetryAfter parses the value of a Retry-After field: a number of seconds, a date in one of the three formats of
// RFC 9110 (5.6.7, 10.2.3), or a duration with units, as docker and others print it. It ignores anything after a comma, a
// semicolon or a blank that the duration doesn't continue. now is the wall clock time, for dates.
func ParseRetryAfter(text string, now time.Time) (time.Duration, error) {
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '\'' })
	if date, err := parseDate(text); err == nil {
		return untilDate(date, now)
	}
	if d, n, err := leadingDuration(strings.ToLower(text)); n > 0 {
		return d, err
	}
	text = strings.TrimRight(text[:firstOf(text, ",; \t")], ".)]}\"'")
	if digits := strings.TrimLeft(text, "+-"); strings.Trim(digits, "0123456789.") == "" && strings.Contains(digits, ".") {
		return 0, errNoHint // seconds are whole
	}
	return hintDuration(text)
}

// ParseHint parses a match of the user's pattern: anything that [ParseRetryAfter] accepts, a fractional number of seconds,
// an RFC 3339 time, a time of day, or a number of seconds or milliseconds since 1970, which it recognises by its size.
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
	if d, ok := clockTime(strings.ToLower(text), now); ok {
		return d, nil
	}
	return ParseRetryAfter(text, now)
}

// unitOf returns the unit of time that a word stands for, or 0.
func unitOf(word string) time.Duration {
	switch word {
	case "ns":
		return time.Nanosecond
	case "us", "µs", "μs":
		return time.Microsecond
	case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
		return time.Millisecond
	case "s", "sec", "secs", "second", "seconds", "second(s)":
		return time.Second
	case "m", "min", "mins", "minute", "minutes", "minute(s)":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours", "hour(s)":
		return time.Hour
	case "d", "day", "days", "day(s)":
		return 24 * time.Hour
	case "w", "week", "weeks", "week(s)":
		return 7 * 24 * time.Hour
	}
	return 0
}

// leadingDuration parses the duration at the beginning of a text: 2 minutes, 1h 30m, 4hr 29min, 1 minute and 5 seconds.
// n is its length, 0 if the text doesn't begin with a number and a unit. Months, years and fortnights are an error,
// because ignoring them would make the wait too short.
func leadingDuration(text string) (d time.Duration, n int, err error) {
	for at := 0; ; {
		rest := text[at:]
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
		blank := strings.TrimLeft(rest[len(number):], " \t-")
		unit := blank[:firstOf(blank, "0123456789 \t,;.:\"')]}")]
		if strings.HasSuffix(unit, "(s") {
			unit += ")"
		}
		value, bad := strconv.ParseFloat(number, 64)
		if bad != nil {
			return d, n, nil
		}
		size := unitOf(unit)
		switch {
		case strings.HasPrefix(unit, "month"), strings.HasPrefix(unit, "year"), strings.HasPrefix(unit, "fortnight"):
			return 0, len(text), errNoHint
		case size == 0:
			return d, n, nil
		}
		if d = add(d, saturate(math.Round(value*float64(size)))); d == forever {
			return 0, len(text), errHugeHint
		}
		at = len(text) - len(blank) + len(unit)
		n = at
		for {
			next := strings.TrimLeft(text[at:], " \t,")
			next = strings.TrimLeft(strings.TrimPrefix(next, "and "), " ")
			if len(text)-len(next) == at {
				break
			}
			at = len(text) - len(next)
		}
	}
}

// parseMilliseconds parses a number of milliseconds.
func parseMilliseconds(text string) (time.Duration, error) {
	n, err := strconv.ParseFloat(text, 64)
	d := saturate(n * float64(time.Millisecond))
	switch {
	case err != nil || math.IsNaN(n):
		return 0, errNoHint
	case n < 0:
		return 0, errNegativeHint
	case d == forever:
		return 0, errHugeHint
	}
	return d, nil
}

// retryAfterIn returns what follows the name Retry-After in a line: a header field, JSON, a Python dictionary or a
// sentence in a debug log.
func retryAfterIn(line string) (value string, ok bool) {
	const name = "retry-after"
	for from := 0; ; {
		at := indexFold(line[from:], name)
		if at < 0 {
			return "", false
		}
		at += from
		from = at + len(name)
		if at > 0 && (isWord(line[at-1]) || line[at-1] == '-') {
			continue
		}
		rest := line[from:]
		value := strings.TrimLeft(rest, "\"' \t")
		switch {
		case strings.HasPrefix(value, ":"), strings.HasPrefix(value, "="):
			return strings.TrimLeft(value[1:], "\"' \t["), true
		case strings.HasPrefix(rest, " ") && value != "" && isDigit(value[0]): // Got a Retry-After 1s response
			return value, true
		}
	}
}

// indexFold is a case-insensitive strings.Index for ASCII. lower must be in lower case.
func indexFold(line, lower string) int {
	for at := 0; at+len(lower) <= len(line); at++ {
		if line[at]|0x20 == lower[0] && strings.EqualFold(line[at:at+len(lower)], lower) {
			return at
		}
	}
	return -1
}

// spokenHints are the phrases, in lower case, after which tools say how long to wait.
var spokenHints = []string{
	"try again in ", "try again after ", "retry in ", "retry after ", "please wait ", "wait for ", "available in ", "available again in ",
	"resets in ", "reset in ", "resets at ", "resets ", "reset at ", "expires in ",
}

// spokenHint returns the wait that a line in lower case asks for in words. Numbers must have a unit.
func spokenHint(line string, now time.Time) (time.Duration, bool) {
	for _, words := range spokenHints {
		at := strings.LastIndex(line, words)
		if at < 0 || at > 0 && isWord(line[at-1]) || strings.HasSuffix(line[:at], "will ") {
			continue
		}
		rest := strings.TrimLeft(line[at+len(words):], " ")
		for _, filler := range []string{"about ", "approximately ", "around ", "at least "} {
			rest = strings.TrimPrefix(rest, filler)
		}
		if d, n, err := leadingDuration(rest); n > 0 && err == nil {
			return d, true
		}
		if strings.HasPrefix(words, "reset") || words == "try again after " {
			if d, ok := clockTime(strings.TrimPrefix(rest, "at "), now); ok {
				return d, true
			}
		}
	}
	return 0, false
}

// clockTime returns the time until a time of day, such as 8pm, 8:30 pm, 20:30 or 20:30 utc. A name from the time zone
// database may follow in parentheses. The default is the zone of now.
func clockTime(text string, now time.Time) (time.Duration, bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	zone := now.Location()
	if clock, name, found := strings.Cut(text, "("); found {
		name, _, _ = strings.Cut(name, ")")
		location, err := time.LoadLocation(properZone(name))
		if err != nil {
			return 0, false
		}
		zone, text = location, strings.TrimSpace(clock)
	} else if rest, found := strings.CutSuffix(text, " utc"); found {
		zone, text = time.UTC, rest
	}
	for _, layout := range []string{"3pm", "3:04pm", "3 pm", "3:04 pm", "15:04", "15:04:05"} {
		clock, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		local := now.In(zone)
		then := time.Date(local.Year(), local.Month(), local.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, zone)
		if !then.After(local) {
			then = then.AddDate(0, 0, 1)
		}
		return then.Sub(now), true
	}
	return 0, false
}

// properZone restores the case of a name from the time zone database: america/new_york becomes America/New_York.
func properZone(name string) string {
	if strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") {
		return "UTC"
	}
	proper := []byte(strings.ToLower(name))
	for i := range proper {
		if (i == 0 || proper[i-1] == '/' || proper[i-1] == '_' || proper[i-1] == '-') && isWord(proper[i]) && !isDigit(proper[i]) {
			proper[i] -= 'a' - 'A'
		}
	}
	return string(proper)
}

// epochLeast is the smallest number that counts as seconds since 1970. As a wait it would be over 30 years.
const epochLeast = 1e9

// firstOf returns the index of the first of some bytes in a text, or the length of the text.
func firstOf(text, bytes string) int {
	return len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return !strings.ContainsRune(bytes, r) }))
}

// hintDuration parses a duration or a number of seconds.
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

// parseDate parses the date at the beginning of a text in the formats of RFC 9110 5.6.7: IMF-fixdate, and the obsolete ones
// of RFC 850 and asctime.
func parseDate(text string) (time.Time, error) {
	const fixdate, asctime = "Mon, 02 Jan 2006 15:04:05 GMT", time.ANSIC
	for _, layout := range []string{fixdate, asctime} {
		if len(text) >= len(layout) {
			if date, err := time.Parse(layout, text[:len(layout)]); err == nil {
				return date, nil
			}
		}
	}
	const rfc850 = "Monday, 02-Jan-06 15:04:05"
	if date, _, found := strings.Cut(text, " GMT"); found {
		return time.Parse(rfc850, date)
	}
	return time.Time{}, errNoHint
}

// untilDate returns the time until a date. Dates have a resolution of a second, so one that is less than a second past is
// not an error.
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

// RaiseToHint returns the longer of the schedule's sleep and the wait that a server asked for. It adds up to a tenth to that
// wait, so that clients given the same hint don't all return at once.
func RaiseToHint(sleep, hint time.Duration, rng *rand.Rand) time.Duration {
	return max(sleep, add(hint, uniform(0, hint/10, rng)))
}
