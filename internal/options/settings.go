package options

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"

	"retry/policy"
	"retry/policy/simulation"
	"retry/runner"
	"retry/runner/report"
	"retry/runner/signals"
)

// origin is where an option was given. What is given later wins.
type origin int

const (
	nowhere origin = iota
	inEnvironment
	onCommandLine
)

// Settings are the values of all options. Those that go into the job as they are stand in it from the start; [Line.Job]
// adds the rest.
type Settings struct {
	runner.Job

	Report      string // the file for report lines, - for standard error; empty for none
	ReportArgv  bool
	Summary     bool
	Plan        bool
	At, Aim     time.Duration
	Simulate    string // the model, or help; empty for none
	Outage      simulation.Outage
	Contention  simulation.Contention
	Format      string
	Logarithmic bool

	BudgetParameters policy.Budget // beside the job's BudgetName
	perMachine       int           // clients that share a budget, in a simulation; 0 for its default

	script, judge, beforeRetry string // commands for the shell
	shell                      []string

	base, cap, delay time.Duration
	factor           float64
	backoff          string
	delays           policy.Delays
	jitter           policy.Jitter

	quiet   int
	verbose bool

	given map[string]origin
	words []word // the options as given; of an option the last counts
	bare  bool   // there is no command
}

// Given reports whether an option was given, in RETRY_OPTS or on the command line.
func (s *Settings) Given(name string) bool { return s.given[name] != nowhere }

func defaults() *Settings {
	term, _ := signals.ByName("TERM")
	s := &Settings{
		Job: runner.Job{
			Seed: rand.Uint64(), Consecutive: 1, MaxAttempts: 10, Signal: term, KillAfter: 10 * time.Second, HintMost: time.Hour,
		},
		base: time.Second, factor: 2, backoff: "exponential", jitter: policy.Full{}, Format: "text",
		given: map[string]origin{},
	}
	_ = s.setShell(defaultShell())
	return s
}

func defaultShell() string {
	if runtime.GOOS == "windows" {
		return "cmd.exe"
	}
	return "sh"
}

func duration(field func(*Settings) *time.Duration) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		d, err := policy.ParseDuration(value)
		*field(s) = d
		return err
	}
}

// script is a command for the shell.
func script(field func(*Settings) *string) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("the command is empty")
		}
		*field(s) = value
		return nil
	}
}

// wholeNumber reads a count from least to what an int holds.
func wholeNumber(value string, least int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", value, least, math.MaxInt)
	}
	return n, nil
}

// splitWords splits an option's value into words, and refuses what a shell would take for an operator.
func splitWords(value string) ([]string, error) {
	if runtime.GOOS == "windows" {
		return splitWindows(value)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(value)
	if err != nil || parser.Position >= 0 {
		return nil, fmt.Errorf("%q can't be split into words: a quote is not closed, or it has an operator", value)
	}
	return words, nil
}

func (s *Settings) setShell(value string) (err error) {
	words, err := splitWords(value)
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("the shell is empty")
	}
	s.shell = withScriptSwitch(words, runtime.GOOS)
	return err
}

func (s *Settings) setFactor(value string) (err error) {
	s.factor, err = strconv.ParseFloat(value, 64)
	if err != nil || !(s.factor > 0 && s.factor <= math.MaxFloat64) {
		return fmt.Errorf("%q is not a number above 0", value)
	}
	return nil
}

func (s *Settings) setBackoff(value string) error {
	modes := []string{"exponential", "constant", "linear", "fibonacci"}
	if !slices.Contains(modes, value) {
		return fmt.Errorf("%q is no backoff: write %s", value, strings.Join(modes, ", "))
	}
	s.backoff = value
	return nil
}

func (s *Settings) setDelays(value string) error {
	s.delays = nil
	for item := range strings.SplitSeq(value, ",") {
		d, err := policy.ParseDuration(strings.TrimSpace(item))
		if err != nil {
			return err
		}
		s.delays = append(s.delays, d)
	}
	return nil
}

func (s *Settings) setJitter(value string) (err error) {
	s.jitter, err = policy.ParseJitter(value)
	return err
}

func (s *Settings) setSeed(value string) (err error) {
	s.Seed, err = strconv.ParseUint(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to %d", value, uint64(math.MaxUint64))
	}
	return nil
}

func (s *Settings) setConsecutive(value string) (err error) {
	s.Consecutive, err = wholeNumber(value, 1)
	return err
}

func (s *Settings) setMaxAttempts(value string) (err error) {
	s.MaxAttempts, err = wholeNumber(value, 0)
	return err
}

func (s *Settings) setSignal(value string) error {
	signal, ok := signals.ByName(value)
	if !ok && runtime.GOOS == "windows" {
		return fmt.Errorf("%q is no signal here: write TERM, INT or BREAK, which all send CTRL_BREAK, or KILL", value)
	}
	if !ok {
		return fmt.Errorf("%q is no signal here: write TERM, INT or a number", value)
	}
	s.Signal = signal
	return nil
}

func (s *Settings) setStdin(value string) error {
	modes := map[string]runner.Input{"inherit": runner.Inherit, "replay": runner.Replay, "none": runner.Nothing}
	mode, ok := modes[value]
	if !ok {
		return fmt.Errorf("%q is no way to treat standard input: write inherit, replay or none", value)
	}
	s.Stdin = mode
	return nil
}

// holding is the setter of what becomes of an output stream.
func holding(stream int, modes ...string) func(*Settings, string) error {
	holdings := map[string]runner.Holding{"live": runner.Live, "success": runner.Success, "last": runner.Last}
	return func(s *Settings, value string) error {
		if !slices.Contains(modes, value) {
			return fmt.Errorf("%q is no way to treat an output: write %s", value, strings.Join(modes, ", "))
		}
		s.Hold[stream] = holdings[value]
		return nil
	}
}

// setSimulate reads MODEL or MODEL:PARAMETERS.
func (s *Settings) setSimulate(value string) (err error) {
	model, parameters, _ := strings.Cut(value, ":")
	switch model {
	case "outage":
		s.Outage, err = simulation.ParseOutage(parameters)
	case "contention":
		s.Contention, err = simulation.ParseContention(parameters)
	case "help":
	default:
		return fmt.Errorf("%q is no model: write outage, contention or help", model)
	}
	s.Simulate = model
	return err
}

func (s *Settings) setFormat(value string) error {
	forms := []string{"text", "json", "csv", "svg"}
	if !slices.Contains(forms, value) {
		return fmt.Errorf("%q is no format: write %s", value, strings.Join(forms, ", "))
	}
	s.Format = value
	return nil
}

func (s *Settings) setScale(value string) error {
	if value != "linear" && value != "log" {
		return fmt.Errorf("%q is no scale: write linear or log", value)
	}
	s.Logarithmic = value == "log"
	return nil
}

func (s *Settings) setReport(value string) error {
	if value == "" {
		return fmt.Errorf("the file has no name")
	}
	s.Report = value
	return nil
}

func (s *Settings) setLabel(value string) error {
	if value == "" || printable(value) != value {
		return fmt.Errorf("%q is empty or has characters that can't be printed", value)
	}
	s.Name = value
	return nil
}

// asks reports whether an answer is wanted instead of a run.
func (s *Settings) Asks() bool { return s.Plan || s.Simulate != "" || s.AsksBudget() }

func (s *Settings) Verbosity() report.Verbosity {
	if s.verbose {
		return report.Detailed
	}
	return max(report.Silent, report.Normal-report.Verbosity(s.quiet))
}

// explicit reports whether the delays are spelled out, which leaves nothing to jitter or to cap unless that is asked for.
func (s *Settings) explicit() bool { return s.Given("delay") || s.Given("delays") }

func (s *Settings) newSchedule() policy.Schedule {
	schedule := policy.Schedule{Backoff: s.newBackoff(), Jitter: s.jitter, Cap: s.cap}
	if s.explicit() && !s.Given("jitter") {
		schedule.Jitter = policy.None{}
	}
	if !s.explicit() && !s.Given("cap") {
		schedule.Cap = max(time.Minute, s.base)
	}
	return schedule
}

func (s *Settings) newBackoff() policy.Backoff {
	switch {
	case s.Given("delay"):
		return policy.Constant(s.delay)
	case s.Given("delays"):
		return s.delays
	case s.backoff == "constant":
		return policy.Constant(s.base)
	case s.backoff == "linear":
		return policy.Linear(s.base)
	case s.backoff == "fibonacci":
		return policy.Fibonacci(s.base)
	}
	return policy.Exponential{Base: s.base, Factor: s.factor}
}
