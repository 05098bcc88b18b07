package policy

import "time"

// A Backoff gives the nominal delay before each retry, without cap and jitter.
type Backoff interface {
	// Delay returns the delay before retry n; n = 1 is the first retry. It is never negative and saturates instead of
	// overflowing.
	Delay(n int) time.Duration
}
