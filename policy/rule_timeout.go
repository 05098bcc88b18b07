package policy

// Timeout matches an attempt that retry ended after the timeout or the idle timeout.
type Timeout struct{}

func (Timeout) Match(o Outcome) bool { return o.timedOut() }
func (Timeout) String() string       { return "timeout" }
