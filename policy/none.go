package policy

import (
	"math/rand/v2"
	"time"
)

// None sleeps d.
type None struct{}

func (None) Sleep(s Step, _ *rand.Rand) time.Duration { return s.Delay }
func (None) String() string                           { return "none" }
