package runner

// Cause is why a run ended without success. Report lines contain its name.
type Cause int

// The causes, in the order in which a review shows them. The zero value is that of a success.
const (
	NoCause            Cause = iota
	AttemptsUsedUp           // MaxAttempts
	DeadlineReached          // there is no time left for another attempt
	BudgetUsedUp             // there is no token left
	PermanentFailure         // a rule or --judge said that no retry would help
	RunInterrupted           // retry was sent a signal, or nobody reads its output any more
	ServerAskedTooMuch       // a server asked for a longer wait than is allowed
	RetryRefused             // --before-retry refused the retry
	InputConsumed            // an attempt has read standard input, which can't be given to another one
	RetryDisabled            // RETRY_DISABLE is set
	RunFailed                // retry itself failed
	CauseCount               // the number of causes
)

var causeNames = [CauseCount]string{
	"", "attempts", "deadline", "budget", "permanent", "interrupted", "server", "before-retry", "input", "disabled", "fault",
}

// String returns the cause's name in report lines.
func (c Cause) String() string { return causeNames[c] }
