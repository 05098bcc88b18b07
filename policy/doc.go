// Package policy decides: how long to sleep before a retry, whether an attempt succeeded, and whether another one is
// worth it. It is pure. There is no I/O, no clock and no goroutine in it; randomness is an argument.
package policy
