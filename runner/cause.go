package runner

// Cause is why a run ended without success. Report lines have its name.
type Cause int

// The causes, in the order in which a review shows them. The zero value is that of a success.
const (
	NoCause            Cause = iota
	AttemptsUsedUp           // MaxAttempts
	DeadlineReached          // no time is left for another attempt
	BudgetUsedUp             // no token is left
	PermanentFailure         // a rule or --judge said that no retry would help
	RunInterrupted           // retry was sent a signal, or nobody reads its output any more
	ServerAskedTooMuch       // for a longer wait than is allowed
	RetryRefused             // by --before-retry
	InputConsumed            // an attempt has read standard input, which can't be given again
	RetryDisabled            // by RETRY_DISABLE
	RunFailed                // retry itself did
	CauseCount               // is how many there are
)

var causeNames = [CauseCount]string{
	"", "attempts", "deadline", "budget", "permanent", "interrupted", "server", "before-retry", "input", "disabled", "fault",
}

// String is the name in report lines.
func (c Cause) String() string { return causeNames[c] }
