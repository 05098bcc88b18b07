package policy

import "time"

// Delays is an explicit list of at least one delay; the last one repeats.
type Delays []time.Duration

func (d Delays) Delay(n int) time.Duration { return d[min(n, len(d))-1] }
