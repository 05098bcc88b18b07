package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"retry/internal/options"
	"retry/runner"
	"retry/runner/console"
	"retry/runner/report"
)

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
