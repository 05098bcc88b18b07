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

// A Budget is what many calls may retry together: a token bucket. A first attempt is free, a retry takes one token, a
// success gives a fraction of one back, and time refills the bucket slowly.
//
// Source: gRPC's retry throttling (proposal A6: maxTokens 10, tokenRatio 0.1) and the retry quota of the AWS SDKs, which
// share the idea; the refill by time is for calls that end before they could have a success.
type Budget struct {
	Tokens float64 // what a full bucket holds, at least 1
	Refund float64 // what a success gives back
	Refill float64 // what comes back by itself, in tokens per second
}

// StandardBudget is what a budget is that is not told otherwise: tokens=10,refund=0.1,refill=1/1m.
func StandardBudget() Budget { return Budget{Tokens: 10, Refund: 0.1, Refill: 1.0 / 60} }

// A Bucket is the state of a budget. Its times are since an epoch of the caller's.
type Bucket struct {
	Tokens float64
	At     time.Duration // when it held so many
	Held   time.Duration // no retry is to be made before: a server has asked for that
}

// Full is a full bucket.
func (b Budget) Full(now time.Duration) Bucket { return Bucket{Tokens: b.Tokens, At: now} }

// Refilled is the bucket at a later time. It never holds more than the budget allows, nor less than nothing. A clock that
// went back brings nothing, and costs nothing.
func (b Budget) Refilled(k Bucket, now time.Duration) Bucket {
	if now > k.At {
		elapsed := now - k.At
		if elapsed < 0 {
			elapsed = forever
		}
		k.Tokens += float64(b.Refill * elapsed.Seconds()) // rounded here, on every processor
		k.At = now
	}
	k.Tokens = max(0, min(k.Tokens, b.Tokens))
	return k
}

// wholeToken is what counts as one: ten times 0.1 is a little less than 1 to a float64.
const wholeToken = 1 - 1e-9

// Take takes a token for a retry. ok is false, and nothing is taken, where there is no whole one.
func (b Budget) Take(k Bucket, now time.Duration) (after Bucket, ok bool) {
	k = b.Refilled(k, now)
	if k.Tokens < wholeToken {
		return k, false
	}
	k.Tokens = max(0, k.Tokens-1)
	return k, true
}

// GiveBack is the bucket after a success.
func (b Budget) GiveBack(k Bucket, now time.Duration) Bucket {
	k.Tokens += b.Refund
	return b.Refilled(k, now)
}

// LongestHold is how long one hint may hold other calls back: a server that errs must not stop their retries for years.
const LongestHold = 24 * time.Hour

// Hold is the bucket after a server has asked for no retry before d from now. A hold that ends later stays.
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

// budgetParameters are what a budget is made of, as the command line writes it.
var budgetParameters = []budgetParameter{
	{"tokens", func(b *Budget, text string) (err error) { b.Tokens, err = amount(text, 1); return }},
	{"refund", func(b *Budget, text string) (err error) { b.Refund, err = amount(text, 0); return }},
	{"refill", func(b *Budget, text string) (err error) { b.Refill, err = parseRate(text); return }},
}

// ParseBudget reads NAME=VALUE,…; what is not given is as in [StandardBudget]. others are parameters of the caller's
// own.
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

// mostTokens keeps all arithmetic far from what a float64 can't tell apart.
const mostTokens = 1e9

// amount reads a decimal number from least to mostTokens.
func amount(text string, least float64) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= least && n <= mostTokens) || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, fmt.Errorf("%q is not a number from %v to %v", text, least, mostTokens)
	}
	return n, nil
}

// parseRate reads N/D, tokens in a duration, as tokens per second; 0 is none.
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
