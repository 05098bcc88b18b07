// Package policy decides how long to sleep before a retry, whether an attempt succeeded, and whether to make another one.
// It is pure: it has no I/O, clock or goroutines, and takes its source of randomness as an argument.
package policy
