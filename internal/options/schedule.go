package options

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"retry/policy"
)

func (s *Settings) setFactor(value string) (err error) {
	s.factor, err = strconv.ParseFloat(value, 64)
	if err != nil || !(s.factor > 0 && s.factor <= math.MaxFloat64) {
		return fmt.Errorf("%q is not a number above 0", value)
	}
	return nil
}

func (s *Settings) setDelays(value string) (err error) {
	s.delays, err = parseDelays(value)
	return err
}

// parseDelays reads durations separated by commas.
func parseDelays(value string) (delays policy.Delays, err error) {
	for item := range strings.SplitSeq(value, ",") {
		d, err := policy.ParseDuration(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		delays = append(delays, d)
	}
	return delays, nil
}

func (s *Settings) setJitter(value string) (err error) {
	s.jitter, err = policy.ParseJitter(value)
	return err
}

// explicit reports whether the delays themselves were given. Such delays have no jitter and no cap by default.
func (s *Settings) explicit() bool { return s.Given("delay") || s.Given("delays") }

// decorrelated reports whether the jitter is decorrelated, which computes its own backoff.
func (s *Settings) decorrelated() bool {
	_, decorrelated := s.jitter.(policy.Decorrelated)
	return decorrelated
}

// newSchedule returns the schedule that the options describe.
func (s *Settings) newSchedule() policy.Schedule {
	schedule := policy.Schedule{Backoff: s.newBackoff(), Jitter: s.jitter, Cap: s.cap}
	if s.explicit() && !s.Given("jitter") {
		schedule.Jitter = policy.None{}
	}
	if !s.explicit() && !s.Given("cap") {
		schedule.Cap = max(time.Minute, s.base)
	}
	return schedule
}

// newThrottle returns the schedule of the sleeps after throttling: the same with its own base. Delays that were given
// themselves apply to every failure, so there is no such schedule then.
func (s *Settings) newThrottle() policy.Schedule {
	if s.throttleBase == 0 || s.explicit() && !s.Given("throttle-base") {
		return policy.Schedule{}
	}
	schedule := s.Schedule
	schedule.Backoff = policy.Exponential{Base: s.throttleBase, Factor: s.factor}
	if s.cap == 0 && !s.Given("cap") && !s.explicit() {
		schedule.Cap = max(schedule.Cap, s.throttleBase)
	}
	return schedule
}

func (s *Settings) newBackoff() policy.Backoff {
	switch {
	case s.Given("delay"):
		return policy.Constant(s.delay)
	case s.Given("delays"):
		return s.delays
	case s.backoff == "constant":
		return policy.Constant(s.base)
	case s.backoff == "linear":
		return policy.Linear(s.base)
	case s.backoff == "fibonacci":
		return policy.Fibonacci(s.base)
	}
	return policy.Exponential{Base: s.base, Factor: s.factor}
}
