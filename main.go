// Command retry runs a command until it succeeds, waiting longer and longer between the attempts.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode"

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
	if err == nil && line.settings.asks() {
		if err = answer(system, stdout, line.settings); err == nil {
			return 0, system.Interrupted()
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
		complain(stderr, err)
		return policy.StatusFault, policy.Signal{}
	}
	return result.Status, result.Signal
}

// execute runs the job. An error is what kept it from running.
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
	} else if countdown := newCountdown(job, s); countdown != nil {
		reporters = append(reporters, countdown)
	}
	if s.summary {
		reporters = append(reporters, &runner.Summary{
			Writer: lenient{runner.Descriptor(2)}, Job: job, File: os.Getenv("GITHUB_STEP_SUMMARY"),
			GitHub: os.Getenv("GITHUB_ACTIONS") == "true", GitLab: os.Getenv("GITLAB_CI") != "",
		})
	}
	if err := system.Prepare(job); err != nil {
		return runner.Result{}, err
	}
	result, _ := runner.Run(job, system, reporters) // it has reported its error, which the result says too
	return result, nil
}

// newCountdown is the countdown of the sleeps, where there is a person to look at it.
func newCountdown(job *runner.Job, s *settings) *runner.Countdown {
	if runner.TerminalWidth(2) == 0 || s.verbosity() < runner.Normal || os.Getenv("CI") != "" || dumbTerminal() {
		return nil
	}
	return &runner.Countdown{
		Writer: runner.Descriptor(2), Job: job, Color: os.Getenv("NO_COLOR") == "",
		Width: func() int { return runner.ForegroundWidth(2) },
	}
}

// dumbTerminal reports whether the terminal, if there is one, can do no more than write.
func dumbTerminal() bool {
	term := os.Getenv("TERM")
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
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
	command, err := s.command(line.command)
	if err != nil {
		return nil, err
	}
	name := s.label
	if name == "" {
		name = printable(filepath.Base(command[0]))
		if command[0] == "" {
			name = "''"
		}
	}
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	schedule := s.schedule()
	return &runner.Job{
		Name:         name,
		Command:      command,
		Schedule:     schedule,
		Seed:         s.seed,
		Spacing:      schedule.Backoff.Delay(1),
		Rules:        s.rules,
		Listening:    s.listens(filepath.Base(command[0])),
		HintMost:     s.hintMost,
		Judge:        s.byShell(s.judge),
		BeforeRetry:  s.byShell(s.beforeRetry),
		Budget:       store,
		BudgetName:   s.budgetName,
		Outer:        runner.OuterLayers(),
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
