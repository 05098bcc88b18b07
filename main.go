// Command retry runs a command until it succeeds, waiting longer and longer between the attempts.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"retry/internal/answer"
	"retry/internal/help"
	"retry/internal/options"
	"retry/policy"
	"retry/runner"
	"retry/runner/console"
	"retry/runner/process"
	"retry/runner/report"
	"retry/runner/signals"
)

// version is set by the linker in a release.
var version = "(devel)"

func main() {
	system := process.Listen()
	status, signal := run(system, os.Args[1:], os.Stdout, console.Descriptor(2))
	if signal.Number != 0 {
		signals.Die(signal)
	}
	os.Exit(status)
}

// run does everything except exiting. It returns the exit status and, if retry is to end itself by a signal, that signal.
func run(system *process.System, words []string, stdout, stderr io.Writer) (int, policy.Signal) {
	result, err := dispatch(system, words, stdout)
	if err != nil {
		complain(stderr, err)
		return policy.StatusFault, policy.Signal{}
	}
	return result.Status, result.Signal
}

// dispatch does what the command line asks for: it prints help or an answer, or runs the command. An error means bad usage, or
// that retry itself failed.
func dispatch(system *process.System, words []string, stdout io.Writer) (runner.Result, error) {
	line, err := options.Parse(words)
	if err != nil {
		return runner.Result{}, err
	}
	switch line.Asked {
	case "h", "help":
		return runner.Result{}, help.Print(stdout, line.Asked == "h")
	case "completion":
		return runner.Result{}, help.Completion(stdout, line.Value)
	case "version":
		return runner.Result{}, help.Version(stdout, version)
	}
	if line.Settings.Asks() {
		err := answer.Print(stdout, line.Settings, func() bool { return system.Interrupted().Number != 0 })
		return runner.Result{Signal: system.Interrupted()}, err
	}
	job, err := line.Job()
	if err != nil {
		return runner.Result{}, err
	}
	return execute(system, job, line.Settings)
}

// execute runs the job. An error means that it could not start.
func execute(system *process.System, job *runner.Job, s *options.Settings) (runner.Result, error) {
	reporters, err := newReporters(job, s)
	if err != nil {
		return runner.Result{}, err
	}
	if err := system.Prepare(job); err != nil {
		return runner.Result{}, err
	}
	result, _ := runner.Run(job, system, reporters) // it has reported its error already, and the result says the same
	return result, nil
}

// newReporters returns what tells of the run: text unless the report lines take its place, and what the options add.
func newReporters(job *runner.Job, s *options.Settings) (runner.Reporters, error) {
	text := &report.Text{Writer: console.Descriptor(2), Job: job, Verbosity: s.Verbosity()}
	reporters := runner.Reporters{text}
	if s.Report != "" {
		out, err := openReport(s.Report)
		if err != nil {
			return nil, fmt.Errorf("--report: %w", err)
		}
		reporters = append(reporters, &report.JSON{Writer: out, Job: job, Argv: s.ReportArgv})
	}
	if s.Report == "-" {
		reporters = reporters[1:]
	} else if countdown := newCountdown(job, s); countdown != nil {
		reporters = append(reporters, countdown)
	}
	if s.Summary {
		reporters = append(reporters, &report.Summary{
			Writer: lenient{console.Descriptor(2)}, Job: job, File: os.Getenv("GITHUB_STEP_SUMMARY"),
			GitHub: os.Getenv("GITHUB_ACTIONS") == "true", GitLab: os.Getenv("GITLAB_CI") != "",
		})
	}
	return reporters, nil
}

// newCountdown returns the live countdown of a sleep, or nil if nobody watches: without a terminal, with --quiet, or in CI.
func newCountdown(job *runner.Job, s *options.Settings) *report.Countdown {
	if console.Width(2) == 0 || s.Verbosity() < report.Normal || os.Getenv("CI") != "" || dumbTerminal() {
		return nil
	}
	return &report.Countdown{
		Writer: console.Descriptor(2), Job: job, Color: os.Getenv("NO_COLOR") == "",
		Width: func() int { return console.ForegroundWidth(2) },
	}
}

// dumbTerminal reports whether the terminal can't move its cursor.
func dumbTerminal() bool {
	term := os.Getenv("TERM")
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
}

// openReport opens the file that report lines are appended to, or standard error for -.
func openReport(name string) (io.Writer, error) {
	if name == "-" {
		return lenient{console.Descriptor(2)}, nil
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
}

// lenient ignores write errors.
type lenient struct{ io.Writer }

func (l lenient) Write(data []byte) (int, error) {
	_, _ = l.Writer.Write(data)
	return len(data), nil
}

// complain prints the error, and its hint.
func complain(stderr io.Writer, err error) {
	text := "retry: " + err.Error() + "\n"
	var usage *options.UsageError
	if errors.As(err, &usage) && usage.Hint != "" {
		text += "retry: hint: " + usage.Hint + "\n"
	}
	io.WriteString(stderr, text)
}
