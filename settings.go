package main

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
)

// origin is where an option was given. What is given later wins.
type origin int

const (
	nowhere origin = iota
	inEnvironment
	onCommandLine
)

// settings are the values of all options.
type settings struct {
	script string
	shell  []string

	base, cap, delay  time.Duration
	factor            float64
	backoff           string
	delays            policy.Delays
	jitter            policy.Jitter
	seed              uint64
	stagger           time.Duration
	resetAfter        time.Duration
	rules             policy.Rules
	listening         policy.Listening
	hintMost          time.Duration
	judge             string
	beforeRetry       string
	budget            policy.Budget
	budgetName        string
	perMachine        int // clients that share a budget, in a simulation; 0 for its default
	consecutive       int
	maxAttempts       int
	timeout, deadline time.Duration
	signal            policy.Signal
	killAfter         time.Duration
	idleTimeout       time.Duration
	sweep             bool
	stdin             runner.Input
	hold              [2]runner.Holding
	report            string
	reportArgv        bool
	summary           bool
	plan              bool
	at, aim           time.Duration
	format            string
	logarithmic       bool
	simulate          string
	outage            simulation.Outage
	contention        simulation.Contention
	label             string
	quiet             int
	verbose           bool
	given             map[string]origin
	bare              bool // there is no command
}

func defaults() *settings {
	term, _ := runner.SignalByName("TERM")
	s := &settings{
		base: time.Second, factor: 2, backoff: "exponential", jitter: policy.Full{}, seed: rand.Uint64(),
		consecutive: 1, maxAttempts: 10, signal: term, killAfter: 10 * time.Second, format: "text",
		hintMost: time.Hour,
		given:    map[string]origin{},
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

func duration(field func(*settings) *time.Duration) func(*settings, string) error {
	return func(s *settings, value string) error {
		d, err := policy.ParseDuration(value)
		*field(s) = d
		return err
	}
}

// script is a command for the shell.
func script(field func(*settings) *string) func(*settings, string) error {
	return func(s *settings, value string) error {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("the command is empty")
		}
		*field(s) = value
		return nil
	}
}

func rule(field func(*settings) *[]policy.Rule) func(*settings, string) error {
	return func(s *settings, value string) error {
		if runtime.GOOS == "windows" && strings.HasPrefix(value, "signal:") {
			return fmt.Errorf("%s means nothing here: Windows ends no command by a signal", value)
		}
		parsed, err := policy.ParseRule(value, func(name string) (int, bool) {
			signal, ok := runner.SignalByName(name)
			return signal.Number, ok
		})
		rules := field(s)
		*rules = append(*rules, parsed)
		return err
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

func (s *settings) setShell(value string) (err error) {
	words, err := splitWords(value)
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("the shell is empty")
	}
	s.shell = withScriptSwitch(words, runtime.GOOS)
	return err
}

func (s *settings) setFactor(value string) (err error) {
	s.factor, err = strconv.ParseFloat(value, 64)
	if err != nil || !(s.factor > 0 && s.factor <= math.MaxFloat64) {
		return fmt.Errorf("%q is not a number above 0", value)
	}
	return nil
}

func (s *settings) setBackoff(value string) error {
	modes := []string{"exponential", "constant", "linear", "fibonacci"}
	if !slices.Contains(modes, value) {
		return fmt.Errorf("%q is no backoff: write %s", value, strings.Join(modes, ", "))
	}
	s.backoff = value
	return nil
}

func (s *settings) setDelays(value string) error {
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

func (s *settings) setJitter(value string) (err error) {
	s.jitter, err = policy.ParseJitter(value)
	return err
}

func (s *settings) setSeed(value string) (err error) {
	s.seed, err = strconv.ParseUint(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to %d", value, uint64(math.MaxUint64))
	}
	return nil
}

func (s *settings) setConsecutive(value string) (err error) {
	s.consecutive, err = wholeNumber(value, 1)
	return err
}

func (s *settings) setMaxAttempts(value string) (err error) {
	s.maxAttempts, err = wholeNumber(value, 0)
	return err
}

func (s *settings) setSignal(value string) error {
	signal, ok := runner.SignalByName(value)
	if !ok && runtime.GOOS == "windows" {
		return fmt.Errorf("%q is no signal here: write TERM, INT or BREAK, which all send CTRL_BREAK, or KILL", value)
	}
	if !ok {
		return fmt.Errorf("%q is no signal here: write TERM, INT or a number", value)
	}
	s.signal = signal
	return nil
}

func (s *settings) setStdin(value string) error {
	modes := map[string]runner.Input{"inherit": runner.Inherit, "replay": runner.Replay, "none": runner.Nothing}
	mode, ok := modes[value]
	if !ok {
		return fmt.Errorf("%q is no way to treat standard input: write inherit, replay or none", value)
	}
	s.stdin = mode
	return nil
}

// holding is the setter of what becomes of an output stream.
func holding(stream int, modes ...string) func(*settings, string) error {
	holdings := map[string]runner.Holding{"live": runner.Live, "success": runner.Success, "last": runner.Last}
	return func(s *settings, value string) error {
		if !slices.Contains(modes, value) {
			return fmt.Errorf("%q is no way to treat an output: write %s", value, strings.Join(modes, ", "))
		}
		s.hold[stream] = holdings[value]
		return nil
	}
}

// setSimulate reads MODEL or MODEL:PARAMETERS.
func (s *settings) setSimulate(value string) (err error) {
	model, parameters, _ := strings.Cut(value, ":")
	switch model {
	case "outage":
		s.outage, err = simulation.ParseOutage(parameters)
	case "contention":
		s.contention, err = simulation.ParseContention(parameters)
	case "help":
	default:
		return fmt.Errorf("%q is no model: write outage, contention or help", model)
	}
	s.simulate = model
	return err
}

func (s *settings) setFormat(value string) error {
	forms := []string{"text", "json", "csv", "svg"}
	if !slices.Contains(forms, value) {
		return fmt.Errorf("%q is no format: write %s", value, strings.Join(forms, ", "))
	}
	s.format = value
	return nil
}

func (s *settings) setScale(value string) error {
	if value != "linear" && value != "log" {
		return fmt.Errorf("%q is no scale: write linear or log", value)
	}
	s.logarithmic = value == "log"
	return nil
}

func (s *settings) setReport(value string) error {
	if value == "" {
		return fmt.Errorf("the file has no name")
	}
	s.report = value
	return nil
}

func (s *settings) setLabel(value string) error {
	if value == "" || printable(value) != value {
		return fmt.Errorf("%q is empty or has characters that can't be printed", value)
	}
	s.label = value
	return nil
}

// asks reports whether an answer is wanted instead of a run.
func (s *settings) asks() bool { return s.plan || s.simulate != "" || s.asksBudget() }

func (s *settings) verbosity() runner.Verbosity {
	if s.verbose {
		return runner.Detailed
	}
	return max(runner.Silent, runner.Normal-runner.Verbosity(s.quiet))
}

// explicit reports whether the delays are spelled out, which leaves nothing to jitter or to cap unless that is asked for.
func (s *settings) explicit() bool { return s.given["delay"]+s.given["delays"] != nowhere }

// schedule is the schedule of the settings, which have been checked.
func (s *settings) schedule() policy.Schedule {
	schedule := policy.Schedule{Backoff: s.newBackoff(), Jitter: s.jitter, Cap: s.cap}
	if s.explicit() && s.given["jitter"] == nowhere {
		schedule.Jitter = policy.None{}
	}
	if !s.explicit() && s.given["cap"] == nowhere {
		schedule.Cap = max(time.Minute, s.base)
	}
	return schedule
}

func (s *settings) newBackoff() policy.Backoff {
	switch {
	case s.given["delay"] != nowhere:
		return policy.Constant(s.delay)
	case s.given["delays"] != nowhere:
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
