package policy

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Explanation is the verdict of --transient on a saved log, and the reasons for it.
type Explanation struct {
	Verdict Verdict
	Hint    time.Duration // how long the server asked to wait
	Lines   []ExplainedLine
}

// ExplainedLine is a line that reports a failure.
type ExplainedLine struct {
	Number  int    // in the log, from 1
	Text    string // the line as it is in the log
	Failure Failure
	Weak    bool // counts only if no line reports a cause
	Decided bool // the verdict is based on this line
}

// Explain judges a log as if a command had printed it to standard error and exited with status 1.
func Explain(log []byte) Explanation {
	d := Diagnoser{Diagnostics: Diagnostics{Failures: true, RetryAfter: true}}
	now := time.Now()
	d.Write(1, log)
	diagnosis := d.Diagnosis(now)
	rules := Rules{Transient: &Transient{}}
	e := Explanation{Verdict: rules.Judge(Outcome{Status: 1, Diagnosis: &diagnosis}), Hint: diagnosis.Hint}
	end := d.streams[1].end()
	e.Lines = explained(end, bytes.Count(log[:len(log)-len(end)], []byte{'\n'}), diagnosis)
	return e
}

// explained returns the lines of a text that report a failure. before is the number of lines before the text.
func explained(text []byte, before int, diagnosis Diagnosis) (all []ExplainedLine) {
	type numbered struct {
		number int
		text   string
	}
	var plain []string
	var lines []numbered
	for i, line := range strings.Split(string(text), "\n") {
		for _, part := range splitLines([]byte(line)) {
			plain, lines = append(plain, part), append(lines, numbered{before + i + 1, strings.TrimRight(line, "\r")})
		}
	}
	causes, weak := findings(plain, false)
	for _, f := range append(causes, weak...) {
		line := lines[len(lines)-1-f.index]
		all = append(all, ExplainedLine{
			line.number, line.text, f.Failure, f.weak, f.Rule == diagnosis.Failure.Rule && f.text == diagnosis.Evidence.Text,
		})
	}
	return all
}

// String formats the verdict and the lines that report a failure, the last line first.
func (e Explanation) String() string {
	var b strings.Builder
	switch rule := e.Verdict.Rule(); {
	case rule == "":
		b.WriteString("verdict: retry, because no failure was recognised\n")
	default:
		fmt.Fprintf(&b, "verdict: %v: %s, by %s\n", e.Verdict.Decision, e.Verdict.told, e.Verdict.row)
	}
	if e.Hint > 0 {
		fmt.Fprintf(&b, "the server asked for %s\n", FormatDuration(e.Hint))
	}
	for _, line := range e.Lines {
		note := ""
		switch {
		case line.Decided:
			note = ", which decided"
		case line.Weak:
			note = ", which counts only if no line reports a cause"
		}
		fmt.Fprintf(&b, "line %d: %s, by %s%s\n    %s\n", line.Number, line.Failure.Category, line.Failure.Rule, note, shown(line.Text))
	}
	return b.String()
}

// shown removes control characters from a line and cuts it to a readable length.
func shown(line string) string {
	const most = 200
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, string(uncoloured([]byte(line))))
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "..."
	}
	return strings.TrimSpace(line)
}
