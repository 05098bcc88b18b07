// Command retry runs a command until it succeeds, waiting longer and longer between the attempts.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unicode"

	"github.com/mattn/go-shellwords"

	"retry/internal/render"
	"retry/policy"
	"retry/runner"
)

func main() {
	system := runner.Listen()
	status, signal := run(system, os.Args[1:], os.Stdout, runner.Descriptor(2))
	if signal.Number != 0 {
		runner.Die(signal)
	}
	os.Exit(status)
}

// run is the whole program but for its death. It returns the exit status and, where that is how to end, a signal.
func run(system *runner.System, words []string, stdout, stderr io.Writer) (int, policy.Signal) {
	line, err := parseLine(words)
	if err == nil && line.answer != nil {
		err = line.answer(stdout)
		if err == nil {
			return 0, policy.Signal{}
		}
	}
	if err == nil && line.settings.plan {
		if err = printPlan(stdout, line.settings); err == nil {
			return 0, policy.Signal{}
		}
	}
	var job *runner.Job
	if err == nil {
		job, err = newJob(line)
	}
	if err != nil {
		complain(stderr, err)
		return policy.StatusFault, policy.Signal{}
	}
	result, err := execute(system, job, line.settings)
	if err != nil {
		if line.settings.verbosity() > runner.Silent {
			complain(stderr, err)
		}
		return policy.StatusFault, policy.Signal{}
	}
	return result.Status, result.Signal
}

// execute runs the job.
func execute(system *runner.System, job *runner.Job, s *settings) (runner.Result, error) {
	text := &runner.Text{Writer: runner.Descriptor(2), Job: job, Verbosity: s.verbosity()}
	reporters := runner.Reporters{text}
	if s.report != "" {
		out, err := openReport(s.report)
		if err != nil {
			return runner.Result{}, fmt.Errorf("--report: %w", err)
		}
		reporters = append(reporters, &runner.Report{Writer: out, Job: job, Argv: s.reportArgv})
	}
	if s.report == "-" {
		reporters = reporters[1:]
	}
	if err := system.Prepare(job); err != nil {
		return runner.Result{}, err
	}
	return runner.Run(job, system, reporters)
}

// openReport opens the file that report lines are added to, or standard error.
func openReport(name string) (io.Writer, error) {
	if name == "-" {
		return lenient{runner.Descriptor(2)}, nil
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
}

// lenient is a stream whose failures are nobody's concern.
type lenient struct{ io.Writer }

func (l lenient) Write(data []byte) (int, error) {
	_, _ = l.Writer.Write(data)
	return len(data), nil
}

// usageError is bad usage, with something to try where there is something.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

func badUsage(hint, format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...), hint}
}

func complain(stderr io.Writer, err error) {
	text := "retry: " + err.Error() + "\n"
	var usage *usageError
	if errors.As(err, &usage) && usage.hint != "" {
		text += "retry: hint: " + usage.hint + "\n"
	}
	io.WriteString(stderr, text)
}

// newJob makes the job of a parsed command line.
func newJob(line *commandLine) (*runner.Job, error) {
	s := line.settings
	if err := s.check(); err != nil {
		return nil, err
	}
	command, err := s.command(line.command)
	if err != nil {
		return nil, err
	}
	name := s.label
	if name == "" {
		name = printable(filepath.Base(command[0]))
	}
	schedule := s.schedule()
	return &runner.Job{
		Name:         name,
		Command:      command,
		Schedule:     schedule,
		Seed:         s.seed,
		Spacing:      schedule.Backoff.Delay(1),
		Rules:        s.rules,
		MaxAttempts:  s.maxAttempts,
		Disabled:     disabled(),
		Consecutive:  s.consecutive,
		Stagger:      s.stagger,
		ResetAfter:   s.resetAfter,
		Deadline:     s.deadline,
		Timeout:      s.timeout,
		Signal:       s.signal,
		KillAfter:    s.killAfter,
		KillOnSignal: s.given["kill-after"] != nowhere,
		Sweep:        s.sweep,
		Stdin:        s.stdin,
		Hold:         s.hold,
		IdleTimeout:  s.idleTimeout,
	}, nil
}

// disabled reports whether an operator has switched retrying off.
func disabled() bool {
	value := os.Getenv("RETRY_DISABLE")
	return value != "" && value != "0"
}

// printable replaces what would break a line or a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}

// command is the argument vector: the shell's for -c, the words as they stand, or a single word that is no executable
// split into words.
func (s *settings) command(words []string) ([]string, error) {
	switch {
	case s.given["c"] != nowhere:
		return append(append(s.shell, s.script), words...), nil
	case len(words) == 0:
		return nil, badUsage("retry [options] [--] COMMAND [ARG...]; retry -h shows the options", "there is no command to run")
	case len(words) == 1 && !runner.Executable(words[0]):
		return splitCommand(words[0])
	}
	return words, nil
}

// splitCommand splits a command given as one word. What only a shell would get right is refused: splitting it would
// run something else than what is written. The text itself may hold secrets and is not shown.
func splitCommand(text string) ([]string, error) {
	const hint = "retry -c 'COMMAND' runs it by a shell"
	if what := shellSyntax(text); what != "" {
		return nil, badUsage(hint, "the command needs a shell: it has %s", what)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil || parser.Position >= 0:
		return nil, badUsage(hint, "the command can't be split into words: a quote or a parenthesis is not closed")
	case len(words) == 0:
		return nil, badUsage("", "the command is empty")
	}
	return words, nil
}

// shellSyntax names the first thing in text that a shell would treat specially and that splitting into words would
// not, or would treat otherwise.
func shellSyntax(text string) string {
	var quote, previous rune = 0, ' '
	escaped := false
	for i, r := range text {
		atStart := unicode.IsSpace(previous)
		previous = r
		if escaped {
			escaped = false
			if (quote == '"' && !strings.ContainsRune("\"\\$`", r)) || (quote == 0 && strings.ContainsRune("nt\n", r)) {
				return "a backslash before " + fmt.Sprintf("%q", r)
			}
			continue
		}
		switch {
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == '\'':
		case r == '$', r == '`':
			return fmt.Sprintf("an unquoted %c", r)
		case quote == '"':
		case r == '"', r == '\'':
			quote = r
		case r == '\n':
			return "a newline"
		case strings.ContainsRune("|&;<>()*?", r):
			return fmt.Sprintf("an unquoted %c", r)
		case r == '[' && !(atStart && startsBlank(text[i+1:])):
			return "an unquoted ["
		case (r == '~' || r == '#') && atStart:
			return fmt.Sprintf("a word that starts with %c", r)
		}
	}
	if name, _, found := strings.Cut(strings.Fields(text + " x")[0], "="); found && isName(name) {
		return "an assignment in front"
	}
	return ""
}

func startsBlank(text string) bool {
	return text == "" || text[0] == ' ' || text[0] == '\t'
}

// isName reports whether a shell variable can have this name.
func isName(text string) bool {
	for i, r := range text {
		if r != '_' && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}

// printPlan answers --plan.
func printPlan(stdout io.Writer, s *settings) error {
	if err := s.check(); err != nil {
		return err
	}
	var seed *uint64
	if s.given["seed"] != nowhere {
		seed = &s.seed
	}
	plan := render.NewPlan(render.Plan{
		Schedule: s.schedule(), Attempts: s.maxAttempts, Stagger: s.stagger,
		Timeout: s.timeout, KillAfter: s.killAfter, Deadline: s.deadline,
	}, seed)
	if s.given["at"] != nowhere {
		plan.At = render.NewAt(plan.Schedule, s.at, s.aim)
	}
	switch s.format {
	case "json":
		return plan.JSON(stdout)
	case "csv":
		return plan.CSV(stdout)
	case "svg":
		return plan.SVG(stdout, s.logarithmic)
	}
	width := runner.TerminalWidth(1)
	color := width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return plan.Text(stdout, width, s.logarithmic, color)
}

// version is set when a release is linked.
var version = "(devel)"

func printVersion(stdout io.Writer) error {
	commit, toolchain := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		toolchain = info.GoVersion
		if version == "(devel)" && info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	_, err := fmt.Fprintf(stdout, "retry %s, commit %s, %s\n", version, commit, toolchain)
	return err
}
