package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"retry/internal/options"
	"retry/policy"
	"retry/runner/budget"
)

// budgetState is the state of a budget in the form that --format json prints.
type budgetState struct {
	Budget string  `json:"budget"` // the name
	Tokens float64 `json:"tokens"` // the present number
	Most   float64 `json:"most"`   // in a full budget
	Refund float64 `json:"refund"` // for each success
	Refill float64 `json:"refill"` // each second
	Held   float64 `json:"held"`   // for how many more seconds retries are held back
}

// printBudget prints the state of the budget.
func printBudget(stdout io.Writer, s *options.Settings) error {
	store, err := budget.Open(s.BudgetName, s.BudgetParameters)
	if err != nil {
		return err
	}
	bucket, now, err := store.State()
	if err != nil {
		return fmt.Errorf("retry budget %s: %w", s.BudgetName, err)
	}
	held := max(0, bucket.Held-now)
	if s.Format == "json" {
		return json.NewEncoder(stdout).Encode(budgetState{
			s.BudgetName, bucket.Tokens, s.BudgetParameters.Tokens, s.BudgetParameters.Refund, s.BudgetParameters.Refill, held.Seconds(),
		})
	}
	text := fmt.Sprintf("%s: %.1f of %v tokens", s.BudgetName, bucket.Tokens, s.BudgetParameters.Tokens)
	if held > 0 {
		text += ", retries held back for " + policy.FormatDuration(held.Round(time.Millisecond))
	}
	_, err = fmt.Fprintln(stdout, text)
	return err
}
