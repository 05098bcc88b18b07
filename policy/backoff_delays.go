package policy

import "time"

// Delays is an explicit list of waits, at least one; the last repeats.
type Delays []time.Duration

func (d Delays) Delay(n int) time.Duration { return d[min(n, len(d))-1] }
