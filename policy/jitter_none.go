package policy

import (
	"math/rand/v2"
	"time"
)

// None sleeps d.
type None struct{}

func (None) Sleep(s Step, _ *rand.Rand) time.Duration { return s.Delay }
func (None) String() string                           { return "none" }

func (None) Expect(s Step, _ Expectation) Expectation { return certain(s.Delay) }

func (None) Mean() string { return "d" }
