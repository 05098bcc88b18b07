package policy

import (
	"strings"
	"testing"
)

// signalNumber knows a few signals by their numbers on Linux, so that the tests don't depend on the system.
func signalNumber(name string) (number int, ok bool) {
	switch strings.TrimPrefix(name, "SIG") {
	case "INT", "2":
		return 2, true
	case "QUIT", "3":
		return 3, true
	case "KILL", "9":
		return 9, true
	case "SEGV", "11":
		return 11, true
	case "PIPE", "13":
		return 13, true
	case "TERM", "15":
		return 15, true
	}
	return 0, false
}

func TestParseRuleCodes(t *testing.T) {
	everything := func(int) bool { return true }
	among := func(list ...int) func(int) bool {
		return func(status int) bool {
			for _, code := range list {
				if code == status {
					return true
				}
			}
			return false
		}
	}
	tests := []struct {
		text, canonical string
		match           func(status int) bool
	}{
		{"0", "code:0", among(0)},
		{"255", "code:255", among(255)},
		{"code:75", "code:75", among(75)},
		{"0,3,10-12", "code:0,3,10-12", among(0, 3, 10, 11, 12)},
		{"code:0,3,10-12", "code:0,3,10-12", among(0, 3, 10, 11, 12)},
		{"1, 2", "code:1, 2", among(1, 2)},
		{"code: 7 ", "code: 7 ", among(7)},
		{"5-5", "code:5-5", among(5)},
		{"63-64", "code:63-64", among(63, 64)},
		{"127-128,191-192", "code:127-128,191-192", among(127, 128, 191, 192)},
		{"3,3,1-3", "code:3,3,1-3", among(1, 2, 3)},
		{"any", "code:any", everything},
		{"code:any", "code:any", everything},
		{"code:1,any", "code:1,any", everything},
		{"0-255", "code:0-255", everything},
		{"1-255", "code:1-255", func(status int) bool { return status != 0 }},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			rule, err := ParseRule(test.text, signalNumber)
			if err != nil {
				t.Fatal(err)
			}
			if rule.String() != test.canonical {
				t.Errorf("String() = %q, want %q", rule, test.canonical)
			}
			for status := range 256 {
				if got := rule.Match(exited(status)); got != test.match(status) {
					t.Errorf("matches status %d: %v", status, got)
				}
			}
		})
	}
}

// An impossible status matches no rule, not even any.
func TestCodesOutOfRange(t *testing.T) {
	rule := texts{"any"}.rules(t)[0]
	for _, status := range []int{-1, 256, 1 << 20} {
		if rule.Match(exited(status)) {
			t.Errorf("any matches %d", status)
		}
	}
}

func TestParseRuleMatches(t *testing.T) {
	tests := []struct {
		text    string
		outcome Outcome
		want    bool
	}{
		{"signal:KILL", killed("SIGKILL"), true},
		{"signal:SIGKILL", killed("SIGKILL"), true},
		{"signal:9", killed("SIGKILL"), true},
		{"signal:SEGV, KILL", killed("SIGKILL"), true},
		{"signal:SEGV,KILL", killed("SIGSEGV"), true},
		{"signal:SEGV,KILL", killed("SIGTERM"), false},
		{"signal:KILL", exited(137), false},
		{"signal:KILL", exited(9), false},
		{"signal:KILL", timedOut, false},
		{"signal:KILL", Outcome{End: Idle, Status: StatusTimeout, Signal: Signal{9, "SIGKILL"}}, false},
		{"signal:TERM", Outcome{End: Interrupted, Status: 143, Signal: Signal{15, "SIGTERM"}}, false},
		{"signal:TERM", Outcome{End: TimedOut, Status: StatusTimeout, Signal: Signal{15, "SIGTERM"}}, false},
		{"code:137", killed("SIGKILL"), true},
		{"code:9", killed("SIGKILL"), false},
		{"code:124", timedOut, true},
		{"code:127", notFound, true},
		{"code:0", timedOut, false},
		{"timeout", timedOut, true},
		{"timeout", idle, true},
		{"timeout", exited(124), false},
		{"timeout", killed("SIGTERM"), false},
		{"timeout", notFound, false},
		{"timeout", Outcome{End: DeadlinePassed, Status: StatusTimeout}, false},
	}
	for _, test := range tests {
		rule, err := ParseRule(test.text, signalNumber)
		if err != nil {
			t.Errorf("ParseRule(%q): %v", test.text, err)
			continue
		}
		if got := rule.Match(test.outcome); got != test.want {
			t.Errorf("%v matches %+v: %v, want %v", rule, test.outcome, got, test.want)
		}
		if rule.String() != test.text {
			t.Errorf("String() = %q, want %q", rule, test.text)
		}
	}
}

func TestParseRuleErrors(t *testing.T) {
	const (
		form   = ` for a pattern, or code:1,75-78, signal:KILL, http:429 or timeout`
		kind   = `; use code:LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE`
		status = ` is not an exit status; use 0 to 255, a range such as 10-19, or any`
		signal = `; use KILL, SEGV or a number`
	)
	tests := []struct{ text, want string }{
		{"", "the rule is empty; use code:LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE"},
		{"denied", `"denied" is not a rule; use "output:denied"` + form},
		{"Timeout", `"Timeout" is not a rule; use "output:Timeout"` + form},
		{"KILL", `"KILL" is not a rule; use "output:KILL"` + form},
		{"0x10", `"0x10" is not a rule; use "output:0x10"` + form},
		{"1;2", `"1;2" is not a rule; use "output:1;2"` + form},
		{"exit:1", `unknown kind of rule "exit"` + kind},
		{"Code:1", `unknown kind of rule "Code"` + kind},
		{":1", `unknown kind of rule ""` + kind},
		{"code:", `""` + status},
		{"code:x", `"x"` + status},
		{"code:0x10", `"0x10"` + status},
		{"code:1.5", `"1.5"` + status},
		{"256", `"256"` + status},
		{"code:256", `"256"` + status},
		{"250-256", `"250-256"` + status},
		{"-1", `"-1"` + status},
		{"1-", `"1-"` + status},
		{"-", `"-"` + status},
		{"1-2-3", `"1-2-3"` + status},
		{"1,,2", `""` + status},
		{"1,2,", `""` + status},
		{",", `""` + status},
		{" ", `""` + status},
		{"1 2", `"1 2"` + status},
		{"1 - 3", `"1 - 3"` + status},
		{"code:any-3", `"any-3"` + status},
		{"99999999999999999999", `"99999999999999999999"` + status},
		{"19-10", `the range "19-10" ends before it begins`},
		{"1,19-10", `the range "19-10" ends before it begins`},
		{"300-5", `the range "300-5" ends before it begins`},
		{"signal:", `unknown signal ""` + signal},
		{"signal:KIL", `unknown signal "KIL"` + signal},
		{"signal:KILL,", `unknown signal ""` + signal},
		{"signal:KILL,99", `unknown signal "99"` + signal},
	}
	for _, test := range tests {
		if rule, err := ParseRule(test.text, signalNumber); err == nil || err.Error() != test.want {
			t.Errorf("ParseRule(%q) = %v, %v, want the error %s", test.text, rule, err, test.want)
		}
	}
}

func TestEndsRetrying(t *testing.T) {
	tests := []struct {
		text, name string
		found      bool
	}{
		{"signal:INT", "SIGINT", true},
		{"signal:QUIT", "SIGQUIT", true},
		{"signal:PIPE", "SIGPIPE", true},
		{"signal:KILL,PIPE,TERM", "SIGPIPE", true},
		{"signal:KILL,SEGV,TERM", "", false},
	}
	for _, test := range tests {
		rule := texts{test.text}.rules(t)[0].(*Signals)
		if name, found := rule.EndsRetrying(); name != test.name || found != test.found {
			t.Errorf("%s: %q, %v, want %q, %v", test.text, name, found, test.name, test.found)
		}
	}
}

// With several such signals, the same one is always named.
func TestEndsRetryingNamesTheSame(t *testing.T) {
	for range 100 {
		rule := &Signals{numbers: []int{13, 3, 2}}
		if name, found := rule.EndsRetrying(); name != "SIGINT" || !found {
			t.Fatalf("named %q", name)
		}
	}
}
