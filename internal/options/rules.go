package options

import (
	"fmt"
	"runtime"
	"strings"

	"retry/policy"
	"retry/runner/scan"
	"retry/runner/signals"
)

// rule returns a setter that parses a rule and adds it to a list.
func rule(field func(*Settings) *[]policy.Rule) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		if runtime.GOOS == "windows" && strings.HasPrefix(value, "signal:") {
			return fmt.Errorf("%s has no effect on Windows, where signals do not end commands", value)
		}
		parsed, err := policy.ParseRule(value, func(name string) (int, bool) {
			signal, ok := signals.ByName(name)
			return signal.Number, ok
		})
		rules := field(s)
		*rules = append(*rules, parsed)
		return err
	}
}

// patterns returns the number of rules that match output.
func patterns(rules []policy.Rule) (n int) {
	for _, r := range rules {
		if _, ok := r.(*policy.Pattern); ok {
			n++
		}
	}
	return n
}

// checkRules rejects rules that can never match or never matter, and those that would take too long to match.
func (s *Settings) checkRules() error {
	repeated := 0
	for _, o := range [...]struct {
		name  string
		rules []policy.Rule
	}{
		{"success-if", s.Rules.SuccessIf}, {"fail-if", s.Rules.FailIf}, {"stop-if", s.Rules.StopIf}, {"retry-if", s.Rules.RetryIf},
	} {
		if err := s.checkRulesOf(o.name, o.rules); err != nil {
			return err
		}
		if err := checkRepeated(o.name, o.rules, &repeated); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) checkRulesOf(name string, rules []policy.Rule) error {
	for _, r := range rules {
		switch r := r.(type) {
		case policy.Timeout:
			if s.Timeout == 0 && s.IdleTimeout == 0 {
				return usageErrorf("%s timeout has no effect without --timeout", Dashed(name))
			}
		case *policy.Signals:
			if signal, ends := r.EndsRetrying(); ends && (name == "success-if" || name == "retry-if") {
				return usageErrorf("%s %v has no effect: a command killed by %s always ends retrying", Dashed(name), r, signal)
			}
		}
	}
	return nil
}

// checkRepeated adds up the lengths of the counted repetitions of all rules, and rejects the rule that exceeds the limit.
func checkRepeated(name string, rules []policy.Rule, sum *int) error {
	for _, r := range rules {
		pattern, ok := r.(*policy.Pattern)
		if !ok {
			continue
		}
		n := scan.Repeated(pattern.Expression)
		if *sum += n; n > 0 && *sum > scan.MostRepeated {
			return usageErrorf("%s %v: the counted repetitions of the rules so far expand to %d characters, more than %d",
				Dashed(name), r, *sum, scan.MostRepeated).hinting("write * or +, or a smaller number in the braces")
		}
	}
	return nil
}
