package policy

// Timeout matches an attempt that retry ended after its timeout or its idle timeout.
type Timeout struct{}

func (Timeout) Match(o Outcome) bool { return o.timedOut() }
func (Timeout) String() string       { return "timeout" }
