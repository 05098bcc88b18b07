package options

import "fmt"

// A UsageError reports bad usage.
type UsageError struct {
	message string
	Hint    string // something to try; empty for none
}

// Error says which option or argument is wrong, and what would be right.
func (e *UsageError) Error() string { return e.message }

// usageErrorf returns a UsageError without a hint.
func usageErrorf(format string, values ...any) *UsageError {
	return &UsageError{message: fmt.Sprintf(format, values...)}
}

// hinting adds a hint and returns the error.
func (e *UsageError) hinting(hint string) *UsageError {
	e.Hint = hint
	return e
}
