package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Budget limits the retries that many calls make together, as a token bucket. A first attempt is free, a retry takes
// one token, a success returns a fraction of one, and the bucket slowly refills over time.
//
// Source: gRPC's retry throttling (proposal A6: maxTokens 10, tokenRatio 0.1) and the retry quota of the AWS SDKs. The
// refill over time is for calls that all end without a success.
type Budget struct {
	Tokens float64 // capacity, at least 1
	Refund float64 // tokens that a success returns
	Refill float64 // tokens per second
}

// StandardBudget returns the default: tokens=10,refund=0.1,refill=1/1m.
func StandardBudget() Budget { return Budget{Tokens: 10, Refund: 0.1, Refill: 1.0 / 60} }

// A Bucket is the state of a budget. Times count from an epoch that the caller chooses.
type Bucket struct {
	Tokens float64
	At     time.Duration // when Tokens was computed
	Held   time.Duration // a server asked for no retry before this time
}

// Full returns a full bucket.
func (b Budget) Full(now time.Duration) Bucket { return Bucket{Tokens: b.Tokens, At: now} }

// Refilled returns the bucket at a later time. It never holds more than the budget's capacity or less than zero. A clock
// that was set back changes nothing.
func (b Budget) Refilled(k Bucket, now time.Duration) Bucket {
	now = max(now, k.At)
	elapsed := time.Duration(min(uint64(now)-uint64(k.At), math.MaxInt64))
	refill := float64(b.Refill * elapsed.Seconds()) // the conversion prevents a fused multiply-add
	return Bucket{Tokens: max(0, min(k.Tokens+refill, b.Tokens)), At: now, Held: k.Held}
}

// wholeToken is what counts as one token: as a float64, ten times 0.1 is slightly less than 1.
const wholeToken = 1 - 1e-9

// Take takes a token for a retry. If no whole token is left, it takes none and ok is false.
func (b Budget) Take(k Bucket, now time.Duration) (after Bucket, ok bool) {
	k = b.Refilled(k, now)
	if k.Tokens < wholeToken {
		return k, false
	}
	k.Tokens = max(0, k.Tokens-1)
	return k, true
}

// GiveBack returns the bucket after a success.
func (b Budget) GiveBack(k Bucket, now time.Duration) Bucket {
	k.Tokens += b.Refund
	return b.Refilled(k, now)
}

// LongestHold limits how long one hint may hold back other calls: a faulty server must not stop their retries for years.
const LongestHold = 24 * time.Hour

// Hold returns the bucket after a server has asked for no retry until d from now. A hold that ends later stays.
func (k Bucket) Hold(now, d time.Duration) Bucket {
	if d > 0 {
		k.Held = max(k.Held, add(now, d))
	}
	return k
}

type budgetParameter struct {
	name string
	set  func(b *Budget, text string) error
}

// budgetParameters are the parameters of a budget, as written on the command line.
var budgetParameters = []budgetParameter{
	{"tokens", func(b *Budget, text string) (err error) { b.Tokens, err = amount(text, 1); return }},
	{"refund", func(b *Budget, text string) (err error) { b.Refund, err = amount(text, 0); return }},
	{"refill", func(b *Budget, text string) (err error) { b.Refill, err = parseRate(text); return }},
}

// ParseBudget parses NAME=VALUE,…; missing parameters are as in [StandardBudget]. others parse additional parameters.
func ParseBudget(text string, others map[string]func(string) error) (Budget, error) {
	b := StandardBudget()
	given := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(item), "=")
		i := slices.IndexFunc(budgetParameters, func(p budgetParameter) bool { return p.name == name })
		var err error
		switch other := others[name]; {
		case !found || (i < 0 && other == nil):
			return b, fmt.Errorf("unknown parameter %q; use tokens=10, refund=0.1 or refill=1/1m", item)
		case given[name]:
			err = errors.New("given twice")
		case i >= 0:
			err = budgetParameters[i].set(&b, value)
		default:
			err = other(value)
		}
		if err != nil {
			return b, fmt.Errorf("%s: %w", name, err)
		}
		given[name] = true
	}
	return b, nil
}

// mostTokens keeps the arithmetic well within the precision of a float64.
const mostTokens = 1e9

// amount parses a decimal number from least to mostTokens.
func amount(text string, least float64) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= least && n <= mostTokens) || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, fmt.Errorf("%q is not a number from %v to %.0f", text, least, mostTokens)
	}
	return n, nil
}

// parseRate parses N/D, tokens per duration, and returns tokens per second. 0 means no refill.
func parseRate(text string) (float64, error) {
	if text == "0" {
		return 0, nil
	}
	number, duration, found := strings.Cut(text, "/")
	n, err := amount(number, 0)
	if !found {
		err = fmt.Errorf("%q is not TOKENS/DURATION; use 1/1m, or 0 for none", text)
	}
	if err != nil {
		return 0, err
	}
	d, err := ParseDuration(duration)
	switch {
	case err != nil:
		return 0, err
	case d <= 0:
		return 0, fmt.Errorf("the duration of %q is 0", text)
	}
	return math.Min(n/d.Seconds(), mostTokens), nil
}
