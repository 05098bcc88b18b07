package policy

import "time"

// Fibonacci waits the n-th Fibonacci number times its value: 1 s gives 1 s, 1 s, 2 s, 3 s, 5 s, …
type Fibonacci time.Duration

func (f Fibonacci) Delay(n int) time.Duration {
	this, next := time.Duration(f), time.Duration(f)
	for ; n > 1 && this > 0 && this < forever; n-- {
		this, next = next, add(this, next)
	}
	return this
}
