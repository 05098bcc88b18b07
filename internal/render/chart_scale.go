package render

import (
	"math"
	"strconv"
	"strings"
	"time"

	"retry/policy"
)

// extent is the range of values on an axis.
type extent struct{ low, high float64 }

// nothing is the extent of no values.
var nothing = extent{math.Inf(1), math.Inf(-1)}

func (e *extent) include(x float64) { e.low, e.high = min(e.low, x), max(e.high, x) }

// A scale maps the values of an axis to fractions of its length, and has the ticks.
type scale struct {
	Axis
	extent
	ticks []tick
}

// tick is a round value and its label.
type tick struct {
	at    float64
	label string
}

// newScale returns a scale with roughly the given number of ticks. It is extended to the next round values if round is set, and
// if all values are the same.
func newScale(axis Axis, e extent, ticks int, round bool) scale {
	if e.low > e.high {
		e = extent{0, 1}
	}
	s := scale{Axis: axis, extent: e}
	if axis.Log {
		s.logarithmic(ticks, round)
	} else {
		s.linear(ticks, round)
	}
	return s
}

func (s *scale) linear(ticks int, round bool) {
	switch {
	case s.low == s.high && round:
		s.low, s.high = min(s.low, 0), max(s.high, 1)
	case s.low == s.high:
		s.low, s.high = s.low-0.5, s.high+0.5
	}
	step := s.Unit.step((s.high - s.low) / float64(ticks))
	const slack = 1e-9 // of a step, for sums that miss a round value because of rounding
	if round {
		s.low, s.high = step*math.Floor(s.low/step+slack), step*math.Ceil(s.high/step-slack)
	}
	for i := math.Ceil(s.low/step - slack); i*step <= s.high+slack*step; i++ {
		s.ticks = append(s.ticks, tick{i * step, s.Unit.label(i * step)})
	}
}

func (s *scale) logarithmic(ticks int, round bool) {
	if s.low <= 0 { // only if there are no values
		s.low, s.high = 1, 10
	}
	fine := s.Unit.round()
	if round || s.low == s.high {
		s.widen(fine)
	}
	inside := s.inside(s.Unit.powers())
	if len(inside) < 3 {
		inside = s.inside(fine)
	}
	every := (len(inside)-1)/ticks + 1
	for i := 0; i < len(inside); i += every {
		s.ticks = append(s.ticks, tick{inside[i], s.Unit.label(inside[i])})
	}
}

// widen extends the scale to round values, so that the ends are apart.
func (s *scale) widen(values []float64) {
	low, high := s.low, 0.0
	for _, x := range values {
		if x <= s.low*(1+1e-9) {
			low = x
		}
		if high == 0 && x >= s.high*(1-1e-9) && x > low {
			high = x
		}
	}
	s.low, s.high = low, max(high, s.high)
}

// inside returns those of the values that are on the scale.
func (s *scale) inside(values []float64) []float64 {
	var list []float64
	for _, x := range values {
		if x >= s.low*(1-1e-9) && x <= s.high*(1+1e-9) {
			list = append(list, x)
		}
	}
	return list
}

// part returns the position of a value: 0 is the start of the axis, 1 its end. A value beyond the ends is moved to the end.
func (s *scale) part(x float64) float64 {
	low, high := s.low, s.high
	if s.Log {
		x, low, high = math.Log(max(x, low)), math.Log(low), math.Log(high)
	}
	if high <= low {
		return 0.5
	}
	return min(1, max(0, (x-low)/(high-low)))
}

// unit is a unit of durations.
type unit struct {
	name    string
	seconds float64
}

var units = []unit{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}}

// clock lists the round durations from a second to a day, and marks those that a logarithmic axis prefers.
var clock = []struct {
	seconds float64
	first   bool
}{
	{1, true}, {2, false}, {5, false}, {10, true}, {30, false},
	{60, true}, {120, false}, {300, false}, {600, true}, {1800, false},
	{3600, true}, {7200, false}, {3 * 3600, false}, {6 * 3600, false}, {12 * 3600, false},
}

// powers returns the round values for a logarithmic axis: powers of ten, except for durations above a second.
func (u Unit) powers() []float64 { return u.values(true) }

// round returns all round values.
func (u Unit) round() []float64 { return u.values(false) }

func (u Unit) values(first bool) []float64 {
	var list []float64
	decades := func(of float64, from, to int) {
		for e := from; e <= to; e++ {
			for _, digit := range []float64{1, 2, 5} {
				if digit == 1 || !first {
					list = append(list, of*digit*math.Pow10(e))
				}
			}
		}
	}
	switch u {
	case Count:
		decades(1, 0, 18)
	case Percent:
		decades(1, -4, -1)
		list = append(list, 1)
	case Seconds:
		decades(1, -9, -1)
		for _, c := range clock {
			if c.first || !first {
				list = append(list, c.seconds)
			}
		}
		decades(86400, 0, 5)
	}
	return list
}

// step returns the lowest round value that is not below least, or the greatest round value.
func (u Unit) step(least float64) float64 {
	list := u.round()
	for _, x := range list {
		if x >= least*(1-1e-9) {
			return x
		}
	}
	return list[len(list)-1]
}

// unitOf returns the largest unit in which a duration is a whole number.
func unitOf(x float64) unit {
	for _, unit := range units {
		if x >= unit.seconds && math.Abs(x/unit.seconds-math.Round(x/unit.seconds)) < 1e-6 {
			return unit
		}
	}
	return units[len(units)-1]
}

// label formats a round value.
func (u Unit) label(x float64) string {
	switch {
	case u == Percent:
		return strconv.FormatFloat(math.Round(1e6*x)/1e4+0, 'f', -1, 64) + " %"
	case x == 0:
		return "0"
	case u == Seconds:
		in := unitOf(x)
		return grouped(strconv.FormatFloat(math.Round(x/in.seconds), 'f', -1, 64)) + " " + in.name
	}
	return grouped(strconv.FormatFloat(math.Round(x), 'f', -1, 64))
}

// value formats any value; a duration gets about three figures.
func (u Unit) value(x float64) string {
	if u == Seconds {
		return policy.FormatDuration(rounded(x))
	}
	return u.label(x)
}

// grouped puts commas between the thousands.
func grouped(digits string) string {
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// rounded converts seconds to a duration of about three figures.
func rounded(seconds float64) time.Duration {
	d := time.Duration(min(max(0, seconds)*1e9, math.MaxInt64/2))
	for _, unit := range []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond} {
		if d >= 10*unit {
			return d.Round(unit)
		}
	}
	return d
}
