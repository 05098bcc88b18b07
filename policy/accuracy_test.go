package policy

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// recorded is what a real tool printed after a real fault, and the verdict that a careful engineer would give.
type recorded struct {
	Tool, Name, Case string // the tool, the base name of the command that was run, and what with which fault
	Status           int
	Expect           string // retry or stop
	Stderr, Stdout   string
}

func recordings(t testing.TB) (all []recorded) {
	t.Helper()
	data, err := os.ReadFile("testdata/failures.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// judge returns the verdict of --transient.
func (r *recorded) judge() (Verdict, Diagnosis) {
	d := Diagnoser{Diagnostics: Diagnostics{Failures: true, RetryAfter: true, Script: RunsOthers(r.Name)}}
	d.Write(1, []byte(r.Stderr))
	d.Write(0, []byte(r.Stdout))
	diagnosis := d.Diagnosis(hintNow)
	rules := Rules{Transient: &Transient{Tool: r.Name}}
	return rules.Judge(Outcome{Status: r.Status, Diagnosis: &diagnosis, Duration: time.Second}), diagnosis
}

// The accuracy must not fall. -v prints the wrong verdicts.
func TestAccuracy(t *testing.T) {
	const (
		least       = 97.0 // per cent of right verdicts
		recognised  = 95.0 // per cent of the transient failures that are retried because they are recognised
		wrongStops  = 1
		wrongStatus = 18 // verdicts of success
	)
	var right, transient, known, stops, successes int
	all := recordings(t)
	for _, r := range all {
		v, d := r.judge()
		if r.Expect == "retry" {
			transient++
			if v.Decision == Retry && v.Rule() != "" {
				known++
			}
		}
		if v.Decision.String() == r.Expect {
			right++
			continue
		}
		switch v.Decision {
		case Stop:
			stops++
		case Success:
			successes++
		}
		t.Logf("%s, %s: %v, not %s: %s, %s: %.120s", r.Tool, r.Case, v.Decision, r.Expect, v.Reason(), v.Rule(), d.Evidence.Text)
	}
	share, recognisedShare := 100*float64(right)/float64(len(all)), 100*float64(known)/float64(transient)
	t.Logf("%d of %d right, %.1f %%; %d of %d transient failures recognised, %.1f %%; %d wrong stops, %d wrong successes",
		right, len(all), share, known, transient, recognisedShare, stops, successes)
	if share < least || recognisedShare < recognised || stops > wrongStops || successes > wrongStatus {
		t.Error("that is worse than it was")
	}
}

// Every row of the table decides some case.
func TestRowsDecide(t *testing.T) {
	decided := map[string]int{}
	for _, r := range recordings(t) {
		for _, text := range []string{r.Stderr, r.Stdout} {
			causes, weak := findings(splitLines([]byte(text)), false)
			for _, f := range append(causes, weak...) {
				decided[f.Rule]++
			}
		}
	}
	for _, lines := range failureExamples {
		for line := range strings.Lines(lines) {
			_, line, _ = strings.Cut(line, "| ")
			causes, weak := findings(splitLines([]byte(line)), false)
			for _, f := range append(causes, weak...) {
				decided[f.Rule]++
			}
		}
	}
	for _, family := range table {
		for _, row := range family {
			if decided[row.name] == 0 && row.means != silent {
				t.Errorf("no case for %s", row.name)
			}
		}
	}
}

// Each line of the file is R (retry) or S (stop), a tool, and a message of that tool.
// Every message must be recognised.
func TestPhrases(t *testing.T) {
	data, err := os.ReadFile("testdata/phrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 3)
		r := recorded{Name: fields[1], Status: 1, Stderr: strings.ReplaceAll(fields[2], `\n`, "\n") + "\n"}
		v, d := r.judge()
		if want := map[string]Decision{"R": Retry, "S": Stop}[fields[0]]; v.Decision != want || v.Rule() == "" {
			t.Errorf("%v by %q, not %v: %s: %s", v.Decision, v.Rule(), want, line, d.Evidence.Text)
		}
	}
}
