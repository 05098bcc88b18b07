package policy

import "time"

// Linear waits n times its value: 1 s gives 1 s, 2 s, 3 s, …
type Linear time.Duration

func (l Linear) Delay(n int) time.Duration {
	if l > 0 && time.Duration(n) > forever/time.Duration(l) {
		return forever
	}
	return time.Duration(l) * time.Duration(n)
}
