package policy

// Timeout matches an attempt that retry ended after its timeout.
type Timeout struct{}

func (Timeout) Match(o Outcome) bool { return o.End == TimedOut }
func (Timeout) String() string       { return "timeout" }
