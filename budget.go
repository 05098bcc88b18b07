package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/budget"
)

// setBudget reads NAME or NAME:PARAMETERS. A name may be left out where there are parameters, for a simulation.
func (s *settings) setBudget(value string) (err error) {
	s.budgetName, s.perMachine, s.budget = value, 0, policy.StandardBudget()
	colon := strings.LastIndexByte(value, ':')
	if !strings.Contains(value[colon+1:], "=") {
		return nil
	}
	s.budgetName = value[:max(0, colon)]
	s.budget, err = policy.ParseBudget(value[colon+1:], map[string]func(string) error{
		"per-machine": func(text string) (err error) { s.perMachine, err = wholeNumber(text, 1); return },
	})
	return err
}

// checkBudget finds a budget that has no name, and parameters that only a simulation has.
func (s *settings) checkBudget() error {
	if s.given["budget"] == nowhere {
		return nil
	}
	if s.simulate == "contention" {
		return badUsage("", "--budget means nothing here: in --simulate contention nobody gives up")
	}
	if s.asksBudget() && s.format != "text" && s.format != "json" {
		return badUsage("", "--format %s means nothing here: a budget's state is text or json", s.format)
	}
	if s.simulate == "" && s.perMachine > 0 {
		return badUsage("", "--budget: per-machine means nothing here: only --simulate knows how many share it")
	}
	if s.simulate == "" {
		if _, err := budget.Open(s.budgetName, s.budget); err != nil {
			return badUsage("", "--budget: %v", err)
		}
	}
	return nil
}

// asksBudget reports whether the state of a budget is wanted: there is no command, and nothing that is about one. A command
// that an empty variable has lost must not look like a success.
func (s *settings) asksBudget() bool {
	if !s.bare || s.given["budget"] != onCommandLine {
		return false
	}
	for name, from := range s.given {
		if from == onCommandLine && name != "budget" && name != "format" {
			return false
		}
	}
	return true
}

// store is where the state of the budget is kept. It is nil where there is no budget.
func (s *settings) store() (runner.Budget, error) {
	if s.given["budget"] == nowhere {
		return nil, nil
	}
	return budget.Open(s.budgetName, s.budget)
}

// budgetState is the state of a budget as --format json prints it. Durations are seconds.
type budgetState struct {
	Budget string  `json:"budget"`
	Tokens float64 `json:"tokens"` // there are now
	Most   float64 `json:"most"`   // a full budget
	Refund float64 `json:"refund"` // for a success
	Refill float64 `json:"refill"` // a second
	Held   float64 `json:"held"`   // until there may be retries
}

// printBudget shows the state of the budget.
func printBudget(stdout io.Writer, s *settings) error {
	store, err := budget.Open(s.budgetName, s.budget)
	if err != nil {
		return err
	}
	bucket, now, err := store.State()
	if err != nil {
		return fmt.Errorf("retry budget %s: %w", s.budgetName, err)
	}
	held := max(0, bucket.Held-now)
	if s.format == "json" {
		return json.NewEncoder(stdout).Encode(budgetState{
			s.budgetName, bucket.Tokens, s.budget.Tokens, s.budget.Refund, s.budget.Refill, held.Seconds(),
		})
	}
	text := fmt.Sprintf("%s: %.1f of %v tokens", s.budgetName, bucket.Tokens, s.budget.Tokens)
	if held > 0 {
		text += ", retries held back for " + policy.FormatDuration(held.Round(time.Millisecond))
	}
	_, err = fmt.Fprintln(stdout, text)
	return err
}
