package policy

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// Pattern matches an outcome by what the attempt printed. It is matched while the output streams.
type Pattern struct {
	Source     Source
	Expression *syntax.Regexp
	text       string
}

// Source is the set of the command's output streams that a pattern applies to.
type Source int

// The sources.
const (
	Stdout Source = 1 << iota
	Stderr
	Output = Stdout | Stderr // both, matched separately
)

func (s Source) String() string {
	return map[Source]string{Stdout: "stdout", Stderr: "stderr", Output: "output"}[s]
}

func (p *Pattern) Match(o Outcome) bool { return slices.Contains(o.Matched, p) }

func (p *Pattern) String() string { return p.Source.String() + ":" + p.text }

// parsePattern parses an expression in RE2 syntax. ^ and $ match at the beginning and end of lines.
func parsePattern(source Source, text string) (*Pattern, error) {
	expression, err := syntax.Parse(text, syntax.Perl&^syntax.OneLine)
	if err != nil {
		return nil, RegexpError(text, err)
	}
	return &Pattern{source, expression, text}, nil
}

// RegexpError says what package regexp finds wrong with an expression.
func RegexpError(text string, err error) error {
	return fmt.Errorf("%q is not a regular expression: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// Patterns returns the patterns among the rules.
func (r *Rules) Patterns() []*Pattern { return ofKind[*Pattern](r) }

// ofKind returns the rules of one kind.
func ofKind[Kind Rule](r *Rules) (found []Kind) {
	for _, rules := range [][]Rule{r.SuccessIf, r.FailIf, r.StopIf, r.RetryIf} {
		for _, rule := range rules {
			if k, ok := rule.(Kind); ok {
				found = append(found, k)
			}
		}
	}
	return found
}
