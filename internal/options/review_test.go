package options

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"retry/runner"
	"retry/runner/report"
)

// The schedule in a report line parses to the schedule that wrote it.
func TestScheduleOfReportLines(t *testing.T) {
	for _, line := range []string{
		"true", "--base 1.5s --factor 2.7 --cap 5m -n 8 true", "--delay 10 true", "--delay 0 --jitter equal true", "--delays 1s,2m,90m true",
		"--delays 1s,2m --jitter normal=0.2 --cap 1h true", "--backoff linear --base 3s --cap 0 --jitter none true",
		"--backoff fibonacci true", "--backoff constant --base 7s true", "--jitter decorrelated --base 250ms true",
		"--jitter additive=3s --deadline 1h true", "--jitter proportional=0.3 -n 0 true", "--deadline 90m -n 5 true", "--base 1h1s true",
	} {
		want, err := Parse(strings.Fields(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		job, err := want.Job()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var text strings.Builder
		r := &report.JSON{Writer: &text, Job: job}
		if err := r.Report(runner.Event{Kind: runner.RunEnded}); err != nil {
			t.Fatal(err)
		}
		var result struct{ Schedule string }
		if err := json.Unmarshal([]byte(text.String()), &result); err != nil {
			t.Fatal(err)
		}
		t.Setenv("RETRY_OPTS", "--base 3h -n 77")
		got, err := ParseSchedule(result.Schedule)
		t.Setenv("RETRY_OPTS", "")
		if err != nil {
			t.Errorf("%s is reported as %s: %v", line, result.Schedule, err)
			continue
		}
		if !reflect.DeepEqual(got.Schedule, job.Schedule) || got.MaxAttempts != job.MaxAttempts || got.Deadline != job.Deadline {
			t.Errorf("%s is reported as %s", line, result.Schedule)
		}
	}
}

// A file of report lines can contain anything, and reading a schedule from it opens no budget and no file.
func TestNoScheduleOfReportLines(t *testing.T) {
	for _, text := range []string{"--base", "--budget x", "--base 1s rm -rf x", "--base 1s --report x", "--plan", "--base soon", "--delay 1s --base 2s"} {
		if s, err := ParseSchedule(text); err == nil {
			t.Errorf("%q is a schedule: %v", text, s.Schedule)
		}
	}
}

// Files and options of a review can alternate.
func TestReviewedFiles(t *testing.T) {
	for line, want := range map[string][]string{
		"--review a":                           {"a"},
		"--review a b c":                       {"a", "b", "c"},
		"--review a --base 2s b -n 3 c":        {"a", "b", "c"},
		"--base 2s --review=a b --review c -":  {"a", "b", "c", "-"},
		"--review a -- b --base 2s":            {"a", "b", "--base", "2s"},
		"--review a --label x --since 2d -- b": {"a", "b"},
	} {
		parsed, err := Parse(strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if !slices.Equal(parsed.Settings.Review, want) || len(parsed.Command) > 0 {
			t.Errorf("%s: files %q and command %q, want %q", line, parsed.Settings.Review, parsed.Command, want)
		}
	}
}
