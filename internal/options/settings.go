package options

import (
	"math/rand/v2"
	"slices"
	"time"

	"retry/policy"
	"retry/policy/simulation"
	"retry/runner"
	"retry/runner/report"
	"retry/runner/signals"
)

// origin says where an option was given. A higher value takes precedence.
type origin int

const (
	nowhere origin = iota
	inEnvironment
	onCommandLine
)

// Settings holds the values of all options. Values that the job takes unchanged are set in it directly; [Line.Job] adds the rest.
type Settings struct {
	runner.Job

	Report      string // the file for report lines, - for standard error; empty for none
	ReportArgv  bool
	Trace       string // the file for spans, - for standard error; empty for none
	Summary     bool
	Plan        bool
	At, Aim     time.Duration
	Simulate    string // the model, or help; empty without --simulate
	Outage      simulation.Outage
	Contention  simulation.Contention
	Review      []string // files of report lines, - for standard input
	Since       time.Duration
	Format      string
	Logarithmic bool

	BudgetParameters policy.Budget // the parameters that go with the job's BudgetName
	perMachine       int           // how many simulated clients share a budget; 0 for the default

	script, judge, beforeRetry, onFailure string // commands for the shell
	shell                                 []string

	base, cap, delay time.Duration
	throttleBase     time.Duration
	Explain          string // a saved log, - for standard input; empty for none
	factor           float64
	backoff          string
	delays           policy.Delays
	jitter           policy.Jitter

	quiet   int
	verbose bool

	given map[string]origin
	words []word // the options as given; if one is given several times, the last counts
	bare  bool   // there is no command
}

// Given reports whether an option was given, in RETRY_OPTS or on the command line.
func (s *Settings) Given(name string) bool { return s.given[name] != nowhere }

// OnCommandLine reports whether an option was given on the command line.
func (s *Settings) OnCommandLine(name string) bool { return s.given[name] == onCommandLine }

// defaults returns the settings of a command line without options.
func defaults() *Settings {
	term, _ := signals.ByName("TERM")
	s := &Settings{
		Job: runner.Job{
			Seed: rand.Uint64(), Consecutive: 1, MaxAttempts: 10, Signal: term, KillAfter: 10 * time.Second, HintMost: time.Hour,
		},
		base: time.Second, throttleBase: 5 * time.Second, factor: 2, backoff: "exponential", jitter: policy.Full{}, Format: "text",
		given: map[string]origin{},
	}
	_ = s.setShell(defaultShell())
	return s
}

// Asks reports whether the command line asks for an answer instead of a run: a plan, a simulation, a review, an explanation or
// the state of a budget.
func (s *Settings) Asks() bool {
	return s.Plan || s.Simulate != "" || s.Explain != "" || len(s.Review) > 0 || s.AsksBudget()
}

// Interruptible reports whether the answer can take a while, so that a signal should end it with the results so far. It is false
// for a review of standard input, which might wait for input forever; a signal kills it.
func (s *Settings) Interruptible() bool {
	return s.Simulate != "" || len(s.Review) > 0 && !slices.Contains(s.Review, "-")
}

// Quiet reports whether only failures are reported.
func (s *Settings) Quiet() bool { return s.quiet > 0 }

// TellsOfFailure reports whether the final failure is reported in words on standard error.
func (s *Settings) TellsOfFailure() bool { return s.quiet < 2 && s.Report != "-" }

// Verbosity returns how much retry prints.
func (s *Settings) Verbosity() report.Verbosity {
	if s.verbose {
		return report.Detailed
	}
	return max(report.Silent, report.Normal-report.Verbosity(s.quiet))
}
