package policy

import (
	"errors"
	"fmt"
	"strings"
)

// SignalNumber returns the number of a signal on this system. name may omit the prefix SIG.
type SignalNumber func(name string) (number int, ok bool)

// ruleKinds are the kinds of rules by the word before the colon.
var ruleKinds = []struct {
	name  string
	parse func(argument string, signals SignalNumber) (Rule, error)
}{
	{"code", func(list string, _ SignalNumber) (Rule, error) { return parseCodes(list) }},
	{"signal", func(list string, signals SignalNumber) (Rule, error) { return parseSignals(list, signals) }},
	{"http", func(list string, _ SignalNumber) (Rule, error) { return parseHTTPStatuses(list) }},
	{"stdout", func(text string, _ SignalNumber) (Rule, error) { return parsePattern(Stdout, text) }},
	{"stderr", func(text string, _ SignalNumber) (Rule, error) { return parsePattern(Stderr, text) }},
	{"output", func(text string, _ SignalNumber) (Rule, error) { return parsePattern(Output, text) }},
}

// ParseRule parses a rule: code:LIST or just LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE.
func ParseRule(text string, signals SignalNumber) (Rule, error) {
	if text == "timeout" {
		return Timeout{}, nil
	}
	if text == "" {
		return nil, errors.New("the rule is empty; use code:LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE")
	}
	kind, argument, found := strings.Cut(text, ":")
	if !found {
		if isCodeList(text) {
			return parseCodes(text)
		}
		return nil, fmt.Errorf("%q is not a rule; use %q for a pattern, or code:1,75-78, signal:KILL, http:429 or timeout",
			text, "output:"+text)
	}
	for _, k := range ruleKinds {
		if k.name == kind {
			return k.parse(argument, signals)
		}
	}
	return nil, fmt.Errorf("unknown kind of rule %q; use code:LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE",
		kind)
}

// isCodeList reports whether text looks like a list of statuses, well formed or not.
func isCodeList(text string) bool {
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "any" && strings.Trim(item, "0123456789- ") != "" {
			return false
		}
	}
	return text != ""
}
