package options

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"retry/policy"
	"retry/runner/scan"
)

// setHint reads a regular expression that must have a group.
func (s *Settings) setHint(value string) error {
	tree, err := syntax.Parse(value, syntax.Perl)
	if err != nil {
		return policy.RegexpError(value, err)
	}
	if n := scan.Repeated(tree); n > scan.MostRepeated {
		return fmt.Errorf("the counted repetitions of %q expand to %d characters, more than %d", value, n, scan.MostRepeated)
	}
	expression, err := regexp.Compile("(?m)" + value)
	if err != nil {
		return policy.RegexpError(value, err)
	}
	if expression.NumSubexp() == 0 {
		return fmt.Errorf("%q has no group; put parentheses around the time to wait", value)
	}
	s.Diagnostics.Hints = append(s.Diagnostics.Hints, expression)
	return nil
}

func (s *Settings) setTransient(value string) error {
	transient, ok := policy.ParseTransient(value)
	if !ok {
		return fmt.Errorf("unknown mode %q; use --transient or --transient=unsent", value)
	}
	s.Rules.Transient = transient
	return nil
}

// setMessages reads the name of a locale, as in LC_MESSAGES.
func (s *Settings) setMessages(value string) error {
	if value == "" || strings.ContainsAny(value, "\x00= \t\n") {
		return fmt.Errorf("%q is not a locale; use C for English", value)
	}
	s.Messages = value
	return nil
}

// hinted reports whether anything can tell retry how long to wait.
func (s *Settings) hinted() bool {
	return s.Diagnostics.RetryAfter || len(s.Diagnostics.Hints) > 0 || s.Rules.Transient != nil || s.Given("budget")
}

// watches reports whether any option reads the command's output.
func (s *Settings) watches() bool {
	return s.IdleTimeout > 0 || s.Given("judge") || len(s.Rules.Patterns()) > 0 || s.Rules.TellHTTP() ||
		s.Rules.Transient != nil || !s.Diagnostics.Nothing()
}

// diagnostics returns what to look for in the output of a command with this base name.
func (s *Settings) diagnostics(name string) policy.Diagnostics {
	d := s.Diagnostics
	d.Failures, d.Script = s.Rules.TellHTTP(), policy.RunsOthers(name)
	if s.Rules.Transient != nil {
		s.Rules.Transient.Tool = strings.TrimSuffix(name, ".exe")
		d.Failures, d.RetryAfter, d.Unsent = true, true, s.Rules.Transient.Unsent
	}
	return d
}

// checkJudge rejects rules that have no effect with --judge.
func (s *Settings) checkJudge() error {
	for _, name := range []string{"success-if", "fail-if", "stop-if", "retry-if", "until-failure", "transient"} {
		if s.Given("judge") && s.given[name] == onCommandLine {
			return usageErrorf("%s has no effect with --judge", Dashed(name))
		}
	}
	return nil
}
