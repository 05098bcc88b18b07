package report

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
)

// summarized reports to a summary a run of some attempts, the last of which succeeds, and returns what the summary
// writes to the log.
func summarized(t *testing.T, s *Summary, attempts int) string {
	t.Helper()
	w := &writes{}
	s.Writer, s.Job = w, testJob(func(j *runner.Job) { j.MaxAttempts = 0 })
	events := make([]runner.Event, attempts+1)
	for i := range attempts {
		o := policy.Outcome{Status: 7, Duration: time.Second}
		if i == attempts-1 {
			o.Status = 0
		}
		events[i] = runner.Event{Kind: runner.AttemptJudged, Attempt: i + 1, Verdict: new(policy.Rules).Judge(o)}
	}
	events[attempts] = runner.Event{Kind: runner.RunEnded, Result: runner.Result{Success: true, Attempts: attempts, Elapsed: time.Minute}}
	for _, e := range events {
		if err := s.Report(e); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(w.got, "")
}

// The file of a step's summary gets one table, to which each call adds a row, unless something else has been written in
// between.
func TestSummaryTable(t *testing.T) {
	const row = "| cmd | succeeded | 2 | 1m | exit status 7 |\n"
	for name, test := range map[string]struct{ before, after string }{
		"no file":                   {"", "\n" + tableHead + row},
		"other text":                {"# Tests\n", "# Tests\n\n" + tableHead + row},
		"a table":                   {tableHead + row, tableHead + row + row},
		"a table after text":        {"# Tests\n\n" + tableHead + row, "# Tests\n\n" + tableHead + row + row},
		"text after the table":      {tableHead + row + "done\n", tableHead + row + "done\n\n" + tableHead + row},
		"a line that has not ended": {tableHead + "| cmd |", tableHead + "| cmd |\n" + tableHead + row},
	} {
		file := filepath.Join(t.TempDir(), "summary")
		if test.before != "" {
			if err := os.WriteFile(file, []byte(test.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		log := summarized(t, &Summary{GitHub: true, File: file}, 2)
		if want := "::warning title=retry%3A cmd::cmd succeeded on attempt 2 in 1m; the last failure: exit status 7\n"; log != want {
			t.Errorf("%s: the log has %q, want %q", name, log, want)
		}
		if got, err := os.ReadFile(file); string(got) != test.after || err != nil {
			t.Errorf("%s: the file has\n%s, %v, want\n%s", name, got, err, test.after)
		}
	}
}

// A file that can't be used is reported in the log. None is needed.
func TestSummaryWithoutFile(t *testing.T) {
	folder := t.TempDir()
	for file, want := range map[string]string{"": "", folder: "retry: cmd: --summary: read " + folder + ": is a directory\n"} {
		log := summarized(t, &Summary{GitHub: true, File: file}, 2)
		if _, after, _ := strings.Cut(log, "exit status 7\n"); after != want {
			t.Errorf("the log has %q, want %q at the end", log, want)
		}
	}
}

// GitLab's section contains the last attempts, and says how many came before. A run of one attempt has no section.
func TestSummarySection(t *testing.T) {
	for _, test := range []struct {
		attempts, hidden, shown int
	}{
		{1, 0, 0}, {2, 0, 2}, {mostShown, 0, mostShown}, {mostShown + 1, 1, mostShown}, {100, 100 - mostShown, mostShown},
	} {
		var want string
		if test.shown > 0 {
			want = fmt.Sprintf("section_start retry: cmd succeeded on attempt %d in 1m; the last failure: exit status 7\n", test.attempts)
			if test.hidden > 0 {
				want += fmt.Sprintf("retry: cmd: %d attempts before these\n", test.hidden)
			}
			for i := test.hidden + 1; i < test.attempts; i++ {
				want += fmt.Sprintf("retry: cmd: attempt %d: exit status 7 after 1s\n", i)
			}
			want += fmt.Sprintf("retry: cmd: attempt %d: exit status 0 after 1s\nsection_end \n", test.attempts)
		}
		log := summarized(t, &Summary{GitLab: true}, test.attempts)
		codes := regexp.MustCompile(`\x1b\[0K(section_start|section_end):\d+:retry_\d+_\d+(?:\[collapsed=true\])?\r\x1b\[0K`)
		if got := codes.ReplaceAllString(log, "$1 "); got != want {
			t.Errorf("%d attempts: got\n%swant\n%s", test.attempts, got, want)
		}
	}
}
