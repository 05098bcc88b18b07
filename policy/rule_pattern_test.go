package policy

import (
	"regexp"
	"slices"
	"testing"
)

func pattern(t *testing.T, text string) *Pattern {
	t.Helper()
	rule, err := ParseRule(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rule.(*Pattern)
}

func TestParsePattern(t *testing.T) {
	tests := []struct {
		text   string
		source Source
		match  []string
		miss   []string
	}{
		{"stdout:ok", Stdout, []string{"ok", "it is ok now"}, []string{"OK", ""}},
		{"stderr:denied|refused", Stderr, []string{"connection refused"}, []string{"accepted"}},
		{"output:(?i)denied", Output, []string{"Permission DENIED"}, nil},
		{"output:a,b", Output, []string{"a,b"}, []string{"a", "b"}},
		{"output:error: 5", Output, []string{"error: 5"}, []string{"error"}},
		{"output:^b$", Output, []string{"a\nb\nc"}, []string{"ab"}},
		{"output:a.b", Output, []string{"a-b"}, []string{"a\nb"}},
		{"output:", Output, []string{"", "x"}, nil},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			rule := pattern(t, test.text)
			if rule.Source != test.source || rule.String() != test.text {
				t.Errorf("parsed as %v of source %v", rule, rule.Source)
			}
			// syntax.Regexp includes the flags in its text.
			expression := regexp.MustCompile(rule.Expression.String())
			for _, text := range test.match {
				if !expression.MatchString(text) {
					t.Errorf("%v does not match %q", expression, text)
				}
			}
			for _, text := range test.miss {
				if expression.MatchString(text) {
					t.Errorf("%v matches %q", expression, text)
				}
			}
		})
	}
}

func TestParsePatternErrors(t *testing.T) {
	const problem = ` is not a regular expression: `
	tests := []struct{ text, want string }{
		{"output:(", `"("` + problem + "missing closing ): `(`"},
		{"stdout:*", `"*"` + problem + "missing argument to repetition operator: `*`"},
		{"stderr:(?=a)", `"(?=a)"` + problem + "invalid or unsupported Perl syntax: `(?=`"},
		{"output:\xff", `"\xff"` + problem + "invalid UTF-8: `\xff`"},
	}
	for _, test := range tests {
		if _, err := ParseRule(test.text, nil); err == nil || err.Error() != test.want {
			t.Errorf("ParseRule(%q): error %v, want %s", test.text, err, test.want)
		}
	}
}

// Patterns are compared by identity, because two options may have the same text.
func TestJudgePatterns(t *testing.T) {
	ok, done, denied := pattern(t, "stdout:ok"), pattern(t, "stdout:done"), pattern(t, "output:denied")
	three := texts{"3"}.rules(t)[0]
	tests := []struct {
		name    string
		rules   Rules
		outcome Outcome
		want    Decision
		reason  string
	}{
		{"success pattern", Rules{SuccessIf: []Rule{ok}}, Outcome{Matched: []*Pattern{ok}},
			Success, "exit status 0 matches --success-if stdout:ok"},
		{"no success pattern", Rules{SuccessIf: []Rule{ok}}, Outcome{},
			Retry, "exit status 0 without a match of --success-if stdout:ok"},
		{"every success pattern", Rules{SuccessIf: []Rule{ok, done}}, Outcome{Matched: []*Pattern{done, ok}},
			Success, "exit status 0 matches --success-if stdout:done"},
		{"one success pattern of two", Rules{SuccessIf: []Rule{ok, done}}, Outcome{Matched: []*Pattern{ok}},
			Retry, "exit status 0 without a match of --success-if stdout:done"},
		{"a pattern is not enough without the status", Rules{SuccessIf: []Rule{ok}},
			Outcome{Status: 3, Matched: []*Pattern{ok}}, Retry, "exit status 3"},
		{"success pattern beside a named status", Rules{SuccessIf: []Rule{ok, three}},
			Outcome{Status: 3, Matched: []*Pattern{ok}}, Success, "exit status 3 matches --success-if stdout:ok"},
		{"a named status is not enough without the pattern", Rules{SuccessIf: []Rule{three, ok}}, exited(3),
			Retry, "exit status 3 without a match of --success-if stdout:ok"},
		{"the named status is missed", Rules{SuccessIf: []Rule{three, ok}}, Outcome{Matched: []*Pattern{ok}},
			Retry, "exit status 0 matches no --success-if rule"},
		{"fail pattern wins", Rules{SuccessIf: []Rule{ok}, FailIf: []Rule{denied}},
			Outcome{Matched: []*Pattern{ok, denied}}, Retry, "exit status 0 matches --fail-if output:denied"},
		{"fail pattern that does not match", Rules{FailIf: []Rule{denied}}, Outcome{}, Success, "exit status 0"},
		{"stop pattern", Rules{StopIf: []Rule{denied}}, Outcome{Status: 1, Matched: []*Pattern{denied}},
			Stop, "exit status 1 matches --stop-if output:denied"},
		{"retry pattern", Rules{RetryIf: []Rule{denied}}, Outcome{Status: 1, Matched: []*Pattern{denied}},
			Retry, "exit status 1"},
		{"no retry pattern matches", Rules{RetryIf: []Rule{denied}}, exited(1),
			Stop, "exit status 1 matches no --retry-if rule"},
		{"an equal pattern is another pattern", Rules{RetryIf: []Rule{denied}},
			Outcome{Status: 1, Matched: []*Pattern{pattern(t, "output:denied")}},
			Stop, "exit status 1 matches no --retry-if rule"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			verdict := test.rules.Judge(test.outcome)
			if verdict.Decision != test.want || verdict.Reason() != test.reason {
				t.Errorf("judged %v, %q, want %v, %q", verdict.Decision, verdict.Reason(), test.want, test.reason)
			}
		})
	}
}

func TestPatterns(t *testing.T) {
	a, b, c, d := pattern(t, "stdout:a"), pattern(t, "stdout:b"), pattern(t, "stdout:c"), pattern(t, "stdout:d")
	code := texts{"3"}.rules(t)[0]
	rules := Rules{SuccessIf: []Rule{code, a}, FailIf: []Rule{b, code}, StopIf: []Rule{c}, RetryIf: []Rule{code, d}}
	if got := rules.Patterns(); !slices.Equal(got, []*Pattern{a, b, c, d}) {
		t.Errorf("Patterns() = %v", got)
	}
	if got := (&Rules{RetryIf: []Rule{code}}).Patterns(); len(got) != 0 {
		t.Errorf("Patterns() = %v, want none", got)
	}
}
