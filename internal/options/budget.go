package options

import (
	"cmp"
	"strings"

	"retry/policy"
	"retry/policy/simulation"
	"retry/runner"
	"retry/runner/budget"
)

// setBudget reads NAME or NAME:PARAMETERS. With parameters, the name may be empty, for a simulation.
func (s *Settings) setBudget(value string) (err error) {
	s.BudgetName, s.perMachine, s.BudgetParameters = value, 0, policy.StandardBudget()
	colon := strings.LastIndexByte(value, ':')
	if !strings.Contains(value[colon+1:], "=") {
		return nil
	}
	s.BudgetName = value[:max(0, colon)]
	s.BudgetParameters, err = policy.ParseBudget(value[colon+1:], map[string]func(string) error{
		"per-machine": func(text string) (err error) { s.perMachine, err = wholeNumber(text, 1); return },
	})
	return err
}

// checkBudget rejects a budget name that is not valid, and parameters or formats that don't suit the purpose.
func (s *Settings) checkBudget() error {
	if !s.Given("budget") {
		return nil
	}
	if s.Simulate == "contention" {
		return usageErrorf("--budget has no effect with --simulate contention, where no client gives up")
	}
	if s.AsksBudget() && s.Format != "text" && s.Format != "json" {
		return usageErrorf("the state of a budget can't be shown as %s; use --format text or json", s.Format)
	}
	if s.Simulate == "" && s.perMachine > 0 {
		return usageErrorf("--budget: per-machine has no effect without --simulate")
	}
	if s.Simulate == "" {
		if _, err := budget.Open(s.BudgetName, s.BudgetParameters); err != nil {
			return usageErrorf("--budget: %v", err)
		}
	}
	return nil
}

// AsksBudget reports whether the command line asks for the state of a budget: there is no command, and no option that needs one.
// If there is such an option, the command is probably missing by mistake, for example because a variable is empty.
func (s *Settings) AsksBudget() bool {
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

// store returns the store that holds the state of the budget, or nil if there is no budget.
func (s *Settings) store() (runner.Budget, error) {
	if !s.Given("budget") {
		return nil, nil
	}
	return budget.Open(s.BudgetName, s.BudgetParameters)
}

// shared returns the budget that the clients of a simulated outage share. Clients of the other model share none.
func (s *Settings) shared() simulation.Shared {
	if !s.Given("budget") || s.Simulate != "outage" {
		return simulation.Shared{}
	}
	return simulation.Shared{Budget: s.BudgetParameters, PerMachine: cmp.Or(s.perMachine, simulation.StandardPerMachine)}
}
