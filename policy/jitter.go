package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// A Jitter randomises a nominal delay, so that clients that failed together don't return together. The sleep is never
// negative and, except with [Normal], never above the cap.
type Jitter interface {
	Sleep(step Step, rng *rand.Rand) time.Duration
	// Expect returns the expectation of Sleep, given that of the previous sleep.
	Expect(step Step, previous Expectation) Expectation
	// Mean returns the formula for the mean that Expect computes. d is the nominal delay.
	Mean() string
	// String returns the mode as written on the command line.
	String() string
}

// Step describes one retry to a jitter. In the formulas d is Delay.
type Step struct {
	Delay    time.Duration // the nominal delay, at most Cap
	Base     time.Duration // the nominal delay of the first retry
	Previous time.Duration // the previous sleep; Base at first
	Cap      time.Duration // 0 for none
}

// bound returns min(cap, d).
func (s Step) bound(d time.Duration) time.Duration {
	if s.Cap > 0 {
		return min(s.Cap, d)
	}
	return d
}

// uniform draws from [low, high). It returns low if that is empty.
func uniform(low, high time.Duration, rng *rand.Rand) time.Duration {
	if high <= low {
		return low
	}
	return low + time.Duration(rng.Int64N(int64(high-low)))
}

// NewRand returns a source of randomness for one purpose. Streams of the same seed are independent, so that a draw for one
// purpose doesn't affect another.
func NewRand(seed uint64, stream Stream) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(stream)))
}

// Stream names a purpose of randomness.
type Stream uint64

// The streams.
const (
	SleepStream    Stream = iota // the schedule's sleeps
	StaggerStream                // the wait before the first attempt
	DeadlineStream               // sleeps drawn again to fit a deadline
	HintStream                   // what is added to a wait that a server asks for
	ThrottleStream               // the sleeps after throttling
)

// jitters are the modes of --jitter, with the defaults and ranges of their parameters.
var jitters = []struct {
	name  string
	parse func(parameter string) (Jitter, error)
}{
	{"none", plain(None{})},
	{"full", plain(Full{})},
	{"equal", plain(Equal{})},
	{"decorrelated", plain(Decorrelated{})},
	{"additive", func(text string) (Jitter, error) {
		if text == "" {
			return Additive(time.Second), nil
		}
		d, err := ParseDuration(text)
		return Additive(d), err
	}},
	{"normal", func(text string) (Jitter, error) {
		s, err := ratio(text, 0.1, math.MaxFloat64)
		return Normal(s), err
	}},
	{"proportional", func(text string) (Jitter, error) {
		r, err := ratio(text, 0.5, 1)
		return Proportional(r), err
	}},
}

// ParseJitter parses MODE or MODE=PARAMETER.
func ParseJitter(text string) (Jitter, error) {
	mode, parameter, given := strings.Cut(text, "=")
	var names []string
	for _, j := range jitters {
		names = append(names, j.name)
		if j.name != mode {
			continue
		}
		if given && parameter == "" {
			return nil, fmt.Errorf("%q has no value after the =", text)
		}
		return j.parse(parameter)
	}
	return nil, fmt.Errorf("unknown jitter %q; use %s", mode,
		strings.Join(names[:len(names)-1], ", ")+" or "+names[len(names)-1])
}

func plain(j Jitter) func(string) (Jitter, error) {
	return func(parameter string) (Jitter, error) {
		if parameter != "" {
			return nil, fmt.Errorf("%v takes no value", j)
		}
		return j, nil
	}
}

func ratio(text string, otherwise, most float64) (float64, error) {
	if text == "" {
		return otherwise, nil
	}
	r, err := strconv.ParseFloat(text, 64)
	if err != nil || !(r > 0 && r <= most) {
		if most == 1 {
			return 0, fmt.Errorf("%q is not a number above 0 and at most 1", text)
		}
		return 0, fmt.Errorf("%q is not a number above 0", text)
	}
	return r, nil
}

func formatRatio(r float64) string { return strconv.FormatFloat(r, 'g', -1, 64) }
