package policy

import "time"

// Constant waits the same time before every retry.
type Constant time.Duration

func (c Constant) Delay(int) time.Duration { return time.Duration(c) }
