package policy

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Explanation is what --transient makes of a saved log, and why.
type Explanation struct {
	Verdict Verdict
	Hint    time.Duration // how long the server asked to wait
	Lines   []ExplainedLine
}

// ExplainedLine is a line that tells of a failure.
type ExplainedLine struct {
	Number  int    // in the log, from 1
	Text    string // of the line, as it stands there
	Failure Failure
	Weak    bool // it counts where no line tells of a cause
	Decided bool
}

// Explain judges a log as if a command had printed it to standard error and exited with a status that tells nothing.
func Explain(log []byte) Explanation {
	d := Diagnoser{Diagnostics: Diagnostics{Failures: true, RetryAfter: true}}
	now := time.Now()
	d.Write(1, log)
	diagnosis := d.Diagnosis(now)
	rules := Rules{Transient: &Transient{}}
	e := Explanation{Verdict: rules.Judge(Outcome{Status: 1, Diagnosis: &diagnosis}), Hint: diagnosis.Hint}
	e.Lines = explained(d.streams[1].tail, bytes.Count(log[:len(log)-len(d.streams[1].tail)], []byte{'\n'}), diagnosis)
	return e
}

// explained are the lines of a text that tell of a failure; before is how many lines come before the text.
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
	causes, weak := findings(plain, false, true)
	for _, f := range append(causes, weak...) {
		line := lines[len(lines)-1-f.index]
		all = append(all, ExplainedLine{
			line.number, line.text, f.Failure, f.weak, f.Rule == diagnosis.Failure.Rule && f.text == diagnosis.Evidence.Text,
		})
	}
	return all
}

// String is the explanation as a text: the verdict, and the lines that tell of a failure, the last first.
func (e Explanation) String() string {
	var b strings.Builder
	switch rule := e.Verdict.Rule(); {
	case rule == "":
		b.WriteString("verdict: retry, because nothing is recognised\n")
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
			note = ", which counts where no line tells of a cause"
		}
		fmt.Fprintf(&b, "line %d: %s, by %s%s\n    %s\n", line.Number, line.Failure.Category, line.Failure.Rule, note, shown(line.Text))
	}
	return b.String()
}

// shown is a line without what would disturb a terminal, cut to a length that can be read.
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
