package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"retry/policy"
	"retry/runner"
)

// A Summary tells a CI system about a run that took more than one attempt, so that intermittent failures become
// visible.
//
// In GitHub Actions it writes an annotation to the job's log and adds a row to the step's summary. In GitLab CI it
// writes the attempts to the job's log as a collapsed section. The formats are described in "Workflow commands for
// GitHub Actions", "Adding a job summary" and, in GitLab's documentation, "Custom collapsible sections".
type Summary struct {
	Writer io.Writer // the job's log
	Job    *runner.Job

	GitHub bool
	GitLab bool
	File   string // the file of the step's summary on GitHub; empty for none

	attempts []string // the last mostShown
	reason   string   // of the last attempt that failed
}

// mostShown is how many attempts a section shows at most.
const mostShown = 20

// Report collects the attempts, and writes the summary at the end of the run.
func (s *Summary) Report(e runner.Event) error {
	switch e.Kind {
	case runner.AttemptJudged:
		if e.Verdict.Decision != policy.Success {
			s.reason = e.Verdict.Reason()
		}
		if len(s.attempts) == mostShown {
			s.attempts = s.attempts[:copy(s.attempts, s.attempts[1:])]
		}
		s.attempts = append(s.attempts, fmt.Sprintf("%s: %s after %s", attemptName(s.Job, e.Attempt, e.ResetAt), e.Verdict.Reason(),
			policy.FormatDuration(e.Verdict.Outcome.Duration)))
	case runner.RunEnded:
		if e.Result.Attempts > 1 {
			s.write(e)
		}
	}
	return nil
}

func (s *Summary) write(e runner.Event) {
	if s.GitHub {
		fmt.Fprintf(s.Writer, "::warning title=%s::%s\n", escapeProperty("retry: "+s.Job.Name), escapeCommand(s.sentence(e)))
		if err := s.addRow(e); err != nil {
			fmt.Fprintf(s.Writer, "retry: %s: --summary: %v\n", s.Job.Name, err)
		}
	}
	if s.GitLab {
		s.section(e, time.Now())
	}
}

// sentence describes the run in a sentence.
func (s *Summary) sentence(e runner.Event) string {
	how := "failed after"
	if e.Result.Success {
		how = "succeeded on attempt"
	}
	return fmt.Sprintf("%s %s %d in %s; the last failure: %s",
		s.Job.Name, how, e.Result.Attempts, policy.FormatDuration(e.Result.Elapsed), s.reason)
}

// tableHead is the head of the table in a step's summary.
const tableHead = "| command | result | attempts | time | last failure |\n| --- | --- | --- | --- | --- |\n"

// addRow adds a row to the step's summary: to the table of an earlier call if the file ends with one, or else to a new table.
func (s *Summary) addRow(e runner.Event) error {
	if s.File == "" {
		return nil
	}
	before, err := os.ReadFile(s.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	result := "failed"
	if e.Result.Success {
		result = "succeeded"
	}
	row := fmt.Sprintf("| %s | %s | %d | %s | %s |\n", escapeMarkdown(s.Job.Name), result, e.Result.Attempts,
		policy.FormatDuration(e.Result.Elapsed), escapeMarkdown(s.reason))
	if !endsWithTable(before) {
		row = "\n" + tableHead + row
	}
	file, err := os.OpenFile(s.File, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, row)
	return errors.Join(err, file.Close())
}

// endsWithTable reports whether text ends with a table to which a row can be added.
func endsWithTable(text []byte) bool {
	head := bytes.LastIndex(text, []byte(tableHead))
	if head < 0 {
		return false
	}
	for line := range bytes.Lines(text[head:]) {
		if line[0] != '|' || line[len(line)-1] != '\n' {
			return false
		}
	}
	return true
}

// section writes the attempts to GitLab's log as a collapsed section.
func (s *Summary) section(e runner.Event, now time.Time) {
	const erase = "\r\x1b[0K"
	id := fmt.Sprintf("retry_%d_%d", os.Getpid(), now.UnixNano())
	text := fmt.Sprintf("\x1b[0Ksection_start:%d:%s[collapsed=true]%sretry: %s\n", now.Unix(), id, erase, s.sentence(e))
	if hidden := e.Result.Attempts - len(s.attempts); hidden > 0 {
		text += fmt.Sprintf("retry: %s: %d attempts before these\n", s.Job.Name, hidden)
	}
	for _, attempt := range s.attempts {
		text += fmt.Sprintf("retry: %s: %s\n", s.Job.Name, attempt)
	}
	io.WriteString(s.Writer, text+fmt.Sprintf("\x1b[0Ksection_end:%d:%s%s\n", now.Unix(), id, erase))
}

// escapeCommand escapes the message of a workflow command.
func escapeCommand(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// escapeProperty escapes a property of a workflow command.
func escapeProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}

// escapeMarkdown escapes text for a cell of a table.
func escapeMarkdown(text string) string {
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", " ", "\n", " ").Replace(text)
	var escaped strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]()#+-.!|~@", r) {
			escaped.WriteByte('\\')
		}
		escaped.WriteRune(r)
	}
	return escaped.String()
}
