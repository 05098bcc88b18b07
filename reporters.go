package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"

	"retry/internal/options"
	"retry/runner"
	"retry/runner/console"
	"retry/runner/process"
	"retry/runner/report"
)

// newReporters returns the reporters of the run: text, unless report lines on standard error replace it, and those that options
// add.
func newReporters(system *process.System, job *runner.Job, s *options.Settings) (runner.Reporters, error) {
	stderr := system.OwnLines(console.Descriptor(2))
	text := &report.Text{Writer: stderr, Job: job, Verbosity: s.Verbosity()}
	reporters := runner.Reporters{text}
	if s.Report != "" {
		out, err := openLines("report", s.Report, s, stderr)
		if err != nil {
			return nil, err
		}
		reporters = append(reporters, &report.JSON{Writer: out, Job: job, Argv: s.ReportArgv})
	}
	if s.Trace != "" {
		out, err := openLines("trace", s.Trace, s, stderr)
		if err != nil {
			return nil, err
		}
		reporters = append(reporters, &report.Trace{
			Writer: out, Job: job, Service: cmp.Or(os.Getenv("OTEL_SERVICE_NAME"), "retry"), Version: version,
		})
	}
	if s.Report == "-" {
		reporters = reporters[1:]
	} else if countdown := newCountdown(job, s); countdown != nil {
		reporters = append(reporters, countdown)
		system.Aside = countdown.Aside
	}
	if s.Summary {
		reporters = append(reporters, &report.Summary{
			Writer: &lenient{Writer: stderr}, Job: job, File: os.Getenv("GITHUB_STEP_SUMMARY"),
			GitHub: os.Getenv("GITHUB_ACTIONS") == "true", GitLab: os.Getenv("GITLAB_CI") != "",
		})
	}
	return reporters, nil
}

// newCountdown returns the live countdown of a sleep, or nil if it isn't wanted: without a terminal, with --quiet, or in CI.
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

// openLines opens the file to which an option appends lines, or returns standard error for -. If the option comes from RETRY_OPTS
// and the file can't be opened, it prints a message and discards the lines: a full disk must not keep every job from running.
func openLines(option, name string, s *options.Settings, stderr io.Writer) (io.Writer, error) {
	if name == "-" {
		return &lenient{Writer: stderr}, nil
	}
	out := &lenient{tell: func(err error) {
		if s.Verbosity() > report.Silent {
			complain(stderr, fmt.Errorf("--%s: %w; going on without it", option, err))
		}
	}}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil && s.OnCommandLine(option) {
		return nil, fmt.Errorf("--%s: %w", option, err)
	}
	if err != nil {
		out.tell(err)
		return io.Discard, nil
	}
	out.Writer = file
	return out, nil
}

// lenient ignores write errors, except that it calls tell for the first one.
type lenient struct {
	io.Writer
	tell func(error) // nil for no message
	torn bool        // the last line was not written completely
}

func (l *lenient) Write(data []byte) (int, error) {
	if l.torn {
		data = append([]byte{'\n'}, data...)
	}
	n, err := l.Writer.Write(data)
	if n > 0 {
		l.torn = n < len(data)
	}
	if err != nil && l.tell != nil {
		l.tell(err)
		l.tell = nil
	}
	return len(data), nil
}
