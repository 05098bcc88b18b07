package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/urfave/cli/v2"

	"retry/policy"
	"retry/runner"
)

// An option is one row of the table from which everything else that knows the options is made or checked.
type option struct {
	name        string // the long form, or the only one
	short       string
	placeholder string // the value's; empty for a switch
	standard    string // the default, as help shows it
	group       string
	help        string
	common      bool // on the one screen of -h
	environment bool // allowed in RETRY_OPTS
	set         func(s *settings, value string) error
}

const (
	groupCommand  = "Command"
	groupSchedule = "Schedule"
	groupVerdict  = "Verdict"
	groupLimits   = "Limits"
	groupStreams  = "Streams"
	groupPlan     = "Knowing before"
	groupOutput   = "What retry says"
)

// options is the table.
func options() []*option {
	return []*option{
		{name: "c", placeholder: "STRING", group: groupCommand, common: true,
			help: "run STRING by a shell; words after it are $0, $1, ...",
			set:  func(s *settings, v string) error { s.script = v; return nil }},
		{name: "shell", placeholder: "SHELL", standard: defaultShell(), group: groupCommand,
			help: "the shell for -c, with its options",
			set:  (*settings).setShell},

		{name: "base", placeholder: "D", standard: "1s", group: groupSchedule, common: true, environment: true,
			help: "the delay before the first retry",
			set:  duration(func(s *settings) *time.Duration { return &s.base })},
		{name: "factor", placeholder: "F", standard: "2", group: groupSchedule, common: true, environment: true,
			help: "what each further delay is multiplied by",
			set:  (*settings).setFactor},
		{name: "cap", placeholder: "D", standard: "1m, or base", group: groupSchedule, common: true, environment: true,
			help: "no sleep is longer; 0 for no cap",
			set:  duration(func(s *settings) *time.Duration { return &s.cap })},
		{name: "backoff", placeholder: "MODE", standard: "exponential", group: groupSchedule, environment: true,
			help: "exponential, constant, linear or fibonacci",
			set:  (*settings).setBackoff},
		{name: "delay", placeholder: "D", group: groupSchedule, common: true, environment: true,
			help: "constant delay, no jitter, no cap",
			set:  duration(func(s *settings) *time.Duration { return &s.delay })},
		{name: "delays", placeholder: "D,D,...", group: groupSchedule, environment: true,
			help: "these delays, the last repeats; no jitter, no cap",
			set:  (*settings).setDelays},
		{name: "jitter", placeholder: "MODE", standard: "full", group: groupSchedule, common: true, environment: true,
			help: "none, full, equal, decorrelated, additive[=D],\nnormal[=S] or proportional[=R]",
			set:  (*settings).setJitter},
		{name: "seed", placeholder: "N", standard: "random", group: groupSchedule, environment: true,
			help: "draw the same sleeps every time",
			set:  (*settings).setSeed},
		{name: "stagger", placeholder: "D", group: groupSchedule, environment: true,
			help: "wait up to D at random before the first attempt",
			set:  duration(func(s *settings) *time.Duration { return &s.stagger })},
		{name: "reset-after", placeholder: "D", group: groupSchedule, environment: true,
			help: "an attempt that ran so long restarts the schedule",
			set:  duration(func(s *settings) *time.Duration { return &s.resetAfter })},

		{name: "success-if", placeholder: "RULE", standard: "0", group: groupVerdict,
			help: "what makes an attempt a success",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.SuccessIf })},
		{name: "fail-if", placeholder: "RULE", group: groupVerdict,
			help: "what makes it a failure all the same",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.FailIf })},
		{name: "retry-if", placeholder: "RULE", group: groupVerdict, common: true,
			help: "retry only failures like this",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.RetryIf })},
		{name: "stop-if", placeholder: "RULE", group: groupVerdict, common: true,
			help: "never retry a failure like this",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.StopIf })},
		{name: "until-failure", group: groupVerdict,
			help: "run until the command fails",
			set:  func(s *settings, _ string) error { s.rules.UntilFailure = true; return nil }},
		{name: "consecutive", placeholder: "N", standard: "1", group: groupVerdict,
			help: "want N successes in a row, the base delay apart",
			set:  (*settings).setConsecutive},

		{name: "max-attempts", short: "n", placeholder: "N", standard: "10", group: groupLimits, common: true, environment: true,
			help: "attempts in all; 0, or a deadline alone: no limit",
			set:  (*settings).setMaxAttempts},
		{name: "timeout", placeholder: "D", group: groupLimits, common: true, environment: true,
			help: "end an attempt that runs longer, with all it started",
			set:  duration(func(s *settings) *time.Duration { return &s.timeout })},
		{name: "deadline", placeholder: "D", group: groupLimits, common: true, environment: true,
			help: "the time for everything together",
			set:  duration(func(s *settings) *time.Duration { return &s.deadline })},
		{name: "idle-timeout", placeholder: "D", group: groupLimits, environment: true,
			help: "end an attempt that prints nothing for so long",
			set:  duration(func(s *settings) *time.Duration { return &s.idleTimeout })},
		{name: "signal", placeholder: "SIG", standard: "TERM", group: groupLimits, environment: true,
			help: "what a timeout sends first",
			set:  (*settings).setSignal},
		{name: "kill-after", placeholder: "D", standard: "10s", group: groupLimits, environment: true,
			help: "how long after that it sends KILL",
			set:  duration(func(s *settings) *time.Duration { return &s.killAfter })},

		{name: "sweep", group: groupLimits,
			help: "end what an attempt leaves in the background too",
			set:  func(s *settings, _ string) error { s.sweep = true; return nil }},

		{name: "stdin", placeholder: "MODE", standard: "inherit, while it lasts", group: groupStreams,
			help: "inherit, replay or none",
			set:  (*settings).setStdin},
		{name: "stdout", placeholder: "MODE", standard: "live", group: groupStreams,
			help: "live, success or last: whose output is let through",
			set:  holding(0, "live", "success", "last")},
		{name: "o", group: groupStreams, common: true,
			help: "--stdout success: only the successful attempt's",
			set:  func(s *settings, _ string) error { s.hold[0] = runner.Success; return nil }},
		{name: "stderr", placeholder: "MODE", standard: "live", group: groupStreams,
			help: "live or last",
			set:  holding(1, "live", "last")},

		{name: "plan", group: groupPlan, common: true,
			help: "show what the schedule will do; run nothing",
			set:  func(s *settings, _ string) error { s.plan = true; return nil }},
		{name: "at", placeholder: "D", group: groupPlan,
			help: "with --plan: what it does after D",
			set:  duration(func(s *settings) *time.Duration { return &s.at })},
		{name: "aim", placeholder: "D", group: groupPlan,
			help: "with --at: the factor that sleeps about D then",
			set:  duration(func(s *settings) *time.Duration { return &s.aim })},
		{name: "format", placeholder: "FORM", standard: "text", group: groupPlan,
			help: "text, json, csv or svg",
			set:  (*settings).setFormat},
		{name: "scale", placeholder: "MODE", standard: "linear", group: groupPlan,
			help: "linear or log, of the chart",
			set:  (*settings).setScale},

		{name: "report", placeholder: "FILE", group: groupOutput, environment: true,
			help: "add JSON Lines to FILE; - for standard error",
			set:  (*settings).setReport},
		{name: "report-argv", group: groupOutput, environment: true,
			help: "with the command's arguments in them",
			set:  func(s *settings, _ string) error { s.reportArgv = true; return nil }},
		{name: "label", placeholder: "TEXT", standard: "the command's name", group: groupOutput, environment: true,
			help: "what retry's lines call the command",
			set:  (*settings).setLabel},
		{name: "quiet", short: "q", group: groupOutput, common: true, environment: true,
			help: "tell of the final failure only; twice: of nothing",
			set:  func(s *settings, _ string) error { s.quiet++; return nil }},
		{name: "verbose", short: "v", group: groupOutput, environment: true,
			help: "tell of starts and of the rule that decided too",
			set:  func(s *settings, _ string) error { s.verbose = true; return nil }},
		{name: "help", group: groupOutput,
			help: "show all options; -h shows the common ones",
			set:  answered},
		{name: "h", group: groupOutput, set: answered},
		{name: "version", group: groupOutput,
			help: "show version, commit and Go version",
			set:  answered},
	}
}

// answered is the setter of an option that asks for an answer instead of a run; parseLine has taken it by then.
func answered(*settings, string) error { return nil }

// dashed is the option as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

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
	plan              bool
	at, aim           time.Duration
	format            string
	logarithmic       bool
	label             string
	quiet             int
	verbose           bool
	given             map[string]origin
}

func defaults() *settings {
	term, _ := runner.SignalByName("TERM")
	s := &settings{
		base: time.Second, factor: 2, backoff: "exponential", jitter: policy.Full{}, seed: rand.Uint64(),
		consecutive: 1, maxAttempts: 10, signal: term, killAfter: 10 * time.Second, format: "text",
		given: map[string]origin{},
	}
	_ = s.setShell(defaultShell())
	return s
}

func defaultShell() string {
	if runtime.GOOS == "windows" {
		return "cmd.exe /c"
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

func rule(field func(*settings) *[]policy.Rule) func(*settings, string) error {
	return func(s *settings, value string) error {
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
	if runtime.GOOS != "windows" {
		words = append(words, "-c")
	}
	s.shell = words
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

// exclusive are the options that say the same thing in two ways. Of one from RETRY_OPTS and one from the command line
// the command line's stands; two from one place are bad usage.
var exclusive = [][2]string{
	{"delay", "base"}, {"delay", "factor"}, {"delay", "backoff"}, {"delay", "delays"},
	{"delays", "base"}, {"delays", "factor"}, {"delays", "backoff"},
	{"quiet", "verbose"}, {"o", "stdout"},
}

// overriding are the options of RETRY_OPTS that give way to another one of the command line, though the two go
// together in one place.
var overriding = map[string][]string{
	"delay":   {"jitter", "cap"},
	"delays":  {"jitter", "cap"},
	"backoff": {"factor", "jitter"},
	"jitter":  {"backoff"},
}

// meaningless returns an error where the option was given on the same place as what makes it meaningless. A default
// from RETRY_OPTS without a meaning here does no harm.
func (s *settings) meaningless(name string, when bool, why string) error {
	if !when || s.given[name] != onCommandLine {
		return nil
	}
	return badUsage("", "%s means nothing here: %s", dashed(name), why)
}

// check finds the combinations that can't be meant. It also settles what depends on whether another option was given.
func (s *settings) check() error {
	for _, pair := range exclusive {
		if s.given[pair[0]] != nowhere && s.given[pair[1]] != nowhere {
			return badUsage("", "%s and %s exclude each other", dashed(pair[0]), dashed(pair[1]))
		}
	}
	if s.deadline > 0 && s.given["max-attempts"] == nowhere {
		s.maxAttempts = 0
	}
	_, decorrelated := s.jitter.(policy.Decorrelated)
	schedule := s.schedule()
	_, constant := schedule.Backoff.(policy.Constant)
	switch {
	case decorrelated && (s.backoff != "exponential" || s.explicit()):
		return badUsage("", "--jitter decorrelated makes its own backoff and goes with --backoff exponential alone")
	case s.maxAttempts > 0 && s.consecutive > s.maxAttempts:
		return badUsage("raise --max-attempts", "--consecutive %d can't be reached in --max-attempts %d", s.consecutive, s.maxAttempts)
	case s.consecutive > 1 && schedule.Cap > 0 && schedule.Backoff.Delay(1) > schedule.Cap:
		return badUsage("", "--consecutive waits the base delay of %v between successes, and --cap %v forbids that",
			schedule.Backoff.Delay(1), schedule.Cap)
	case s.deadline > 0 && s.stagger >= s.deadline:
		return badUsage("", "--stagger %v leaves nothing of --deadline %v", s.stagger, s.deadline)
	case s.rules.UntilFailure && len(s.rules.SuccessIf) > patterns(s.rules.SuccessIf):
		return badUsage("", "--until-failure and --success-if each say what status is a success")
	}
	for _, err := range []error{
		s.meaningless("shell", s.given["c"] == nowhere, "only -c runs a shell"),
		s.meaningless("factor", s.backoff != "exponential", "--backoff "+s.backoff+" has no factor"),
		s.meaningless("factor", decorrelated, "--jitter decorrelated has no factor"),
		s.meaningless("seed", !schedule.Jittered() && s.stagger == 0, "nothing is drawn at random"),
		s.meaningless("reset-after", constant, "the delay is always the same"),
		s.meaningless("signal", s.timeout == 0 && s.deadline == 0 && s.idleTimeout == 0,
			"without --timeout, --idle-timeout or --deadline nothing sends it"),
		s.meaningless("at", !s.plan, "only --plan looks ahead"),
		s.meaningless("at", s.format == "csv" || s.format == "svg", "--format "+s.format+" has no place for it"),
		s.meaningless("aim", s.given["at"] == nowhere, "there is no --at"),
		s.meaningless("aim", s.given["at"] != nowhere && s.at == 0, "--at 0s leaves no time to get there"),
		s.meaningless("aim", s.backoff != "exponential" || s.explicit() || decorrelated,
			"only an exponential schedule has a factor"),
		s.meaningless("format", !s.plan, "only --plan has formats"),
		s.meaningless("scale", !s.plan, "only --plan draws a chart"),
		s.meaningless("scale", s.format == "csv" || s.format == "json", "--format "+s.format+" draws no chart"),
		s.meaningless("report-argv", s.report == "", "there is no --report"),
		s.checkRules("success-if", s.rules.SuccessIf),
		s.checkRules("fail-if", s.rules.FailIf),
		s.checkRules("stop-if", s.rules.StopIf),
		s.checkRules("retry-if", s.rules.RetryIf),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// patterns counts the rules that look at the output.
func patterns(rules []policy.Rule) (n int) {
	for _, r := range rules {
		if _, ok := r.(*policy.Pattern); ok {
			n++
		}
	}
	return n
}

// checkRules finds rules that can never match, or never matter.
func (s *settings) checkRules(name string, rules []policy.Rule) error {
	for _, r := range rules {
		switch r := r.(type) {
		case policy.Timeout:
			if s.timeout == 0 && s.idleTimeout == 0 {
				return badUsage("", "%s timeout means nothing here: there is no --timeout", dashed(name))
			}
		case *policy.Signals:
			if signal, ends := r.EndsRetrying(); ends && (name == "success-if" || name == "retry-if") {
				return badUsage("", "%s %v can't be: a command killed by %s always ends retrying", dashed(name), r, signal)
			}
		}
	}
	return nil
}

// commandLine is what was typed, taken apart.
type commandLine struct {
	settings *settings
	command  []string
	answer   func(io.Writer) error // what was asked for instead of a run, if anything
}

// word is one option as given, under its table name.
type word struct {
	option *option
	value  string
}

// parseLine reads RETRY_OPTS and the command line.
func parseLine(words []string) (*commandLine, error) {
	table := options()
	given, command, err := takeOptions(table, words)
	if err != nil {
		return nil, err
	}
	line := &commandLine{settings: defaults(), command: command}
	for _, w := range given {
		switch w.option.name {
		case "h":
			line.answer = func(out io.Writer) error { return printHelp(out, table, true) }
		case "help":
			line.answer = func(out io.Writer) error { return printHelp(out, table, false) }
		case "version":
			line.answer = printVersion
		}
		if line.answer != nil {
			return line, nil
		}
	}
	preset, err := environmentOptions(table)
	if err == nil {
		err = apply(line.settings, withoutOverridden(preset, given), inEnvironment)
	}
	if err != nil {
		return nil, fromEnvironment(err)
	}
	return line, apply(line.settings, given, onCommandLine)
}

// environmentOptions are the options of RETRY_OPTS.
func environmentOptions(table []*option) ([]word, error) {
	value := os.Getenv("RETRY_OPTS")
	if value == "" {
		return nil, nil
	}
	words, err := splitWords(value)
	if err != nil {
		return nil, err
	}
	given, rest, err := takeOptions(table, words)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 || slices.Contains(words, "--") {
		return nil, badUsage("", "only options can stand there")
	}
	for _, w := range given {
		if !w.option.environment {
			return nil, badUsage("it takes options of the schedule, the limits and what retry says",
				"%s can't be set for every call", dashed(w.option.name))
		}
	}
	return given, nil
}

func fromEnvironment(err error) error {
	hint := ""
	if usage, ok := err.(*usageError); ok {
		hint = usage.hint
	}
	return badUsage(hint, "RETRY_OPTS: %v", err)
}

// withoutOverridden leaves out the presets that what was given on the command line excludes or overrides.
func withoutOverridden(preset, given []word) []word {
	gone := map[string]bool{}
	for _, w := range given {
		for _, pair := range exclusive {
			if w.option.name == pair[0] {
				gone[pair[1]] = true
			}
			if w.option.name == pair[1] {
				gone[pair[0]] = true
			}
		}
		for _, name := range overriding[w.option.name] {
			gone[name] = true
		}
	}
	return slices.DeleteFunc(preset, func(w word) bool { return gone[w.option.name] })
}

// takeOptions reads options up to the first word that is none, or to --, as getopt does: -n 3, -n3, --name value,
// --name=value, and switches of one letter together. Each comes back under its one table name, because the parser
// that reads them next refuses an option that is given once by each of its names.
func takeOptions(table []*option, words []string) (given []word, rest []string, err error) {
	for len(words) > 0 {
		text := words[0]
		if text == "--" {
			return given, words[1:], nil
		}
		if len(text) < 2 || text[0] != '-' {
			break
		}
		words = words[1:]
		var cluster []word
		if text[1] == '-' {
			cluster, err = takeLong(table, text[2:])
		} else {
			cluster, err = takeShort(table, text)
		}
		if err != nil {
			return nil, nil, err
		}
		last := &cluster[len(cluster)-1]
		if last.value == missing {
			if len(words) == 0 {
				return nil, nil, badUsage("", "%s needs a value: %s", dashed(last.option.name), last.option.placeholder)
			}
			last.value, words = words[0], words[1:]
		}
		given = append(given, cluster...)
	}
	return given, words, nil
}

// missing marks an option whose value is the next word. No word can hold a NUL.
const missing = "\x00"

func takeLong(table []*option, text string) ([]word, error) {
	name, value, attached := strings.Cut(text, "=")
	i := slices.IndexFunc(table, func(o *option) bool { return o.name == name && len(name) > 1 })
	if i < 0 {
		return nil, unknown(table, "--"+name)
	}
	switch {
	case table[i].placeholder == "" && attached:
		return nil, badUsage("", "--%s takes no value", name)
	case table[i].placeholder != "" && !attached:
		value = missing
	}
	return []word{{table[i], value}}, nil
}

func takeShort(table []*option, text string) ([]word, error) {
	var cluster []word
	for letters := text[1:]; letters != ""; {
		letter := letters[:1]
		letters = letters[1:]
		i := slices.IndexFunc(table, func(o *option) bool { return o.name == letter || o.short == letter })
		switch {
		case i < 0:
			return nil, unknown(table, text)
		case table[i].placeholder == "":
			cluster = append(cluster, word{table[i], ""})
		case letters == "":
			return append(cluster, word{table[i], missing}), nil
		default:
			return append(cluster, word{table[i], letters}), nil
		}
	}
	return cluster, nil
}

// foreign are options of other retry programs whose meaning differs among them.
var foreign = map[string]string{
	"-t": "-n N sets the number of attempts, --timeout D the time for one",
	"-d": "--delay D sets a constant delay, --deadline D the time for everything",
}

func unknown(table []*option, text string) error {
	hint := foreign[text]
	if hint == "" {
		if name := cli.SuggestFlag(flags(table, nil), strings.TrimLeft(text, "-"), true); name != "" {
			hint = "did you mean " + name + "?"
		}
	}
	return badUsage(hint, "unknown option %s", text)
}

// apply has the options parsed and set.
func apply(s *settings, given []word, from origin) error {
	if len(given) == 0 {
		return nil
	}
	arguments := []string{"retry"}
	var used []*option // the parser takes its time for every flag that it knows
	for _, w := range given {
		if !slices.Contains(used, w.option) {
			used = append(used, w.option)
		}
		argument := "--" + w.option.name
		if w.option.placeholder != "" {
			argument += "=" + w.value
		}
		arguments = append(arguments, argument)
		s.given[w.option.name] = from
	}
	var failure error
	app := &cli.App{
		Name:                      "retry",
		Flags:                     flags(used, &assignment{s, &failure}),
		HideHelp:                  true,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return err },
		Action:                    func(*cli.Context) error { return nil },
	}
	if err := app.Run(arguments); failure == nil {
		failure = err
	}
	return failure
}

// assignment is where parsed values go, and the first error among them.
type assignment struct {
	settings *settings
	failure  *error
}

// flags is the table as cli wants it.
func flags(table []*option, to *assignment) []cli.Flag {
	list := make([]cli.Flag, 0, len(table))
	for _, o := range table {
		list = append(list, &cli.GenericFlag{Name: o.name, Value: &flagValue{o, to}})
	}
	return list
}

// flagValue sets one option. It keeps the error, which package flag would wrap in words of its own.
type flagValue struct {
	option *option
	to     *assignment
}

func (v *flagValue) Set(text string) error {
	err := v.option.set(v.to.settings, text)
	if err != nil && *v.to.failure == nil {
		*v.to.failure = badUsage("", "%s: %v", dashed(v.option.name), err)
	}
	return err
}

func (v *flagValue) String() string   { return "" }
func (v *flagValue) IsBoolFlag() bool { return v.option.placeholder == "" }

// helpTemplate is filled with the groups of options; the columns are aligned at the tabs.
const helpTemplate = `usage: retry [options] [--] COMMAND [ARG...]
       retry [options] -c STRING [ARG...]
{{range .}}
{{with .Title}}{{.}}:
{{end}}{{range .Rows}}  {{.}}
{{end}}{{end}}`

type helpGroup struct {
	Title string
	Rows  []string
}

// printHelp shows the common options on one screen, or all of them by group.
func printHelp(stdout io.Writer, table []*option, common bool) error {
	var groups []helpGroup
	for _, o := range table {
		if o.help == "" || (common && !o.common) {
			continue
		}
		title := o.group
		if common {
			title = ""
		}
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, helpGroup{Title: title})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, o.rows()...)
	}
	foot := helpGroup{Rows: []string{
		"D is a duration: 1m30s, 250ms, 2d or a number of seconds.",
		"RULE is code:1,75-78 or just 1,75-78, signal:KILL, timeout, or stdout:RE,",
		"stderr:RE or output:RE, which look for a regular expression in each line.",
	}}
	if common {
		foot.Rows = append(foot.Rows, "retry --help shows all options.")
	} else {
		foot.Rows = append(foot.Rows, "RETRY_OPTS holds default options; RETRY_DISABLE=1 turns retrying off.")
	}
	var page bytes.Buffer
	cli.HelpPrinter(&page, helpTemplate, append(groups, foot))
	_, err := page.WriteTo(stdout)
	return err
}

// rows are the option's lines in the help.
func (o *option) rows() []string {
	form := "    " + dashed(o.name)
	if o.short != "" {
		form = "-" + o.short + ", --" + o.name
	} else if len(o.name) == 1 {
		form = dashed(o.name)
	}
	if o.placeholder != "" {
		form += " " + o.placeholder
	}
	text := o.help
	if o.standard != "" {
		text += " (" + o.standard + ")"
	}
	lines := strings.Split(text, "\n")
	rows := []string{form + "\t" + lines[0]}
	for _, line := range lines[1:] {
		rows = append(rows, "\t"+line)
	}
	return rows
}
