package policy

import "time"

// A Backoff is the nominal wait before each retry, before the cap and the jitter.
type Backoff interface {
	// Delay is the wait before retry n, where n = 1 is the first retry. It is never negative and saturates instead of
	// overflowing, whatever n.
	Delay(n int) time.Duration
}
