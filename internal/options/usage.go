package options

import "fmt"

// UsageError is bad usage.
type UsageError struct {
	message string
	Hint    string // something to try; empty where there is nothing
}

func (e *UsageError) Error() string { return e.message }

func badUsage(hint, format string, values ...any) error {
	return &UsageError{fmt.Sprintf(format, values...), hint}
}
