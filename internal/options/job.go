package options

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"retry/runner"
	"retry/runner/process"
)

// Job completes the settings and returns the job that the command line asks for.
func (l *Line) Job() (*runner.Job, error) {
	s := l.Settings
	command, err := s.command(l.Command)
	if err != nil {
		return nil, err
	}
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	job := &s.Job
	job.Command = command
	if job.Name == "" {
		job.Name = displayName(command)
	}
	const sixteenDigits = 1 << 60
	job.Call = strconv.FormatUint(rand.Uint64()|sixteenDigits, 16)
	if job.Trace = runner.ParseTrace(os.Getenv("TRACEPARENT")); job.Trace == nil && s.Trace != "" {
		job.Trace = runner.NewTrace()
	}
	job.Spacing = job.Schedule.Backoff.Delay(1)
	job.Diagnostics = s.diagnostics(filepath.Base(command[0]))
	job.Judge = s.byShell(s.judge)
	job.BeforeRetry = s.byShell(s.beforeRetry)
	job.OnFailure = s.byShell(s.onFailure)
	job.Budget = store
	job.Outer = process.OuterLayers()
	job.Disabled = disabled()
	job.KillOnSignal = s.Given("kill-after")
	return job, nil
}

// disabled reports whether RETRY_DISABLE turns retrying off.
func disabled() bool {
	value := os.Getenv("RETRY_DISABLE")
	return value != "" && value != "0"
}

// printable replaces control characters and other unprintable ones with question marks.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}
