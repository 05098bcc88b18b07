package policy

import "testing"

// told returns an outcome with a diagnosis.
func told(status int, told Diagnosis) Outcome {
	o := exited(status)
	o.Diagnosis = &told
	return o
}

// failing returns a failure as reported by a network row.
func failing(m meaning) Failure {
	f, _ := m.failure(0)
	f.Rule = "network/refused"
	return f
}

// answered returns an outcome whose output ends in a response.
func answered(status, http int) Outcome {
	failure, _ := HTTPFailure(http)
	return told(status, Diagnosis{HTTP: http, Shown: true, Last: true, Failure: failure})
}

// The rows are in the order of judgement.
func TestJudgeTransient(t *testing.T) {
	said := func(status, http int) Outcome {
		o := answered(status, http)
		o.Diagnosis.Shown = false
		return o
	}
	shownBefore := func(status, http int) Outcome {
		o := answered(status, http)
		o.Diagnosis.Last = false
		return o
	}
	matching := func(o Outcome, rules []Rule) Outcome {
		for _, rule := range rules {
			if p, ok := rule.(*Pattern); ok {
				o.Matched = append(o.Matched, p)
			}
		}
		return o
	}
	tests := []struct {
		name    string
		success texts
		fail    texts
		stop    texts
		retry   texts
		tool    string
		unsent  bool
		outcome Outcome
		matches bool // the patterns of --success-if
		want    Decision
		reason  string
		rule    string
	}{
		// Success: a response that was printed counts, a mere message about one doesn't.
		{name: "nothing heard", outcome: exited(0), want: Success, reason: "exit status 0"},
		{name: "200", outcome: answered(0, 200), want: Success, reason: "exit status 0"},
		{name: "399", outcome: answered(0, 399), want: Success, reason: "exit status 0"},
		{name: "503 shown", outcome: answered(0, 503), want: Retry,
			reason: "exit status 0 (HTTP 503, transient)", rule: "--transient http/response"},
		{name: "404 shown", outcome: answered(0, 404), want: Stop,
			reason: "exit status 0 (HTTP 404, permanent)", rule: "--transient http/response"},
		{name: "no status of HTTP's", outcome: answered(0, 999), want: Retry, reason: "exit status 0 (HTTP 999)"},
		{name: "404 shown on the way", outcome: shownBefore(0, 404), want: Success, reason: "exit status 0"},
		{name: "404 shown by a tool that hides it", tool: "curl", outcome: shownBefore(0, 404), want: Stop,
			reason: "exit status 0 (HTTP 404, permanent)", rule: "--transient http/response"},
		{name: "what apt went on without", tool: "apt-get", outcome: told(0, Diagnosis{Failure: failing(refused),
			Evidence: Evidence{1, "w: failed to fetch url"}}),
			want: Retry, reason: "exit status 0 (connection refused, transient)", rule: "--transient network/refused"},
		{name: "the same by its other name", tool: "apt", outcome: told(0, Diagnosis{Failure: failing(refused),
			Evidence: Evidence{1, "w: failed to fetch url"}}),
			want: Retry, reason: "exit status 0 (connection refused, transient)", rule: "--transient network/refused"},
		{name: "what apt only mentions", tool: "apt", outcome: told(0, Diagnosis{Failure: failing(refused),
			Evidence: Evidence{1, "connection refused"}}), want: Success, reason: "exit status 0"},
		{name: "what another tool says of apt", tool: "cat", outcome: told(0, Diagnosis{Failure: failing(refused),
			Evidence: Evidence{1, "w: failed to fetch url"}}), want: Success, reason: "exit status 0"},
		{name: "400 shown", outcome: answered(0, 400), want: Stop,
			reason: "exit status 0 (HTTP 400, permanent)", rule: "--transient http/response"},
		{name: "404 said", outcome: said(0, 404), want: Success, reason: "exit status 0"},

		// The user's success rules take precedence.
		{name: "a code is the user's word", success: texts{"0"}, outcome: answered(0, 503),
			want: Success, reason: "exit status 0 matches --success-if code:0", rule: "--success-if code:0"},
		{name: "so is a pattern", success: texts{"stdout:ready"}, outcome: answered(0, 503), matches: true,
			want: Success, reason: "exit status 0 matches --success-if stdout:ready", rule: "--success-if stdout:ready"},
		{name: "without the pattern", success: texts{"stdout:ready"}, outcome: answered(0, 503),
			want: Retry, reason: "exit status 0 without a match of --success-if stdout:ready (HTTP 503, transient)", rule: "--transient http/response"},
		{name: "without the pattern, permanent", success: texts{"stdout:ready"}, outcome: answered(0, 404),
			want: Stop, reason: "exit status 0 without a match of --success-if stdout:ready (HTTP 404, permanent)", rule: "--transient http/response"},
		{name: "without the pattern, nothing told", success: texts{"stdout:ready"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 without a match of --success-if stdout:ready", rule: "--success-if stdout:ready"},
		{name: "the wanted status", success: texts{"http:404"}, outcome: answered(22, 404),
			want: Success, reason: "exit status 22 matches --success-if http:404", rule: "--success-if http:404"},

		// Then --stop-if, --retry-if, recognised failures, unrecognised ones.
		{name: "stop first", stop: texts{"http:503"}, retry: texts{"any"}, outcome: answered(22, 503),
			want: Stop, reason: "exit status 22 matches --stop-if http:503", rule: "--stop-if http:503"},
		{name: "then retry", retry: texts{"http:404"}, outcome: answered(22, 404),
			want: Retry, reason: "exit status 22", rule: "--retry-if http:404"},
		{name: "then transient", retry: texts{"75"}, outcome: answered(22, 503),
			want: Retry, reason: "exit status 22 (HTTP 503, transient)", rule: "--transient http/response"},
		{name: "then permanent", retry: texts{"75"}, outcome: answered(22, 404),
			want: Stop, reason: "exit status 22 (HTTP 404, permanent)", rule: "--transient http/response"},
		{name: "unknown, with retry rules", retry: texts{"75"}, outcome: exited(1),
			want: Stop, reason: "exit status 1 matches no --retry-if rule"},
		{name: "unknown", outcome: exited(1), want: Retry, reason: "exit status 1"},
		{name: "a fail rule's failure", fail: texts{"0"}, outcome: said(0, 404),
			want: Stop, reason: "exit status 0 matches --fail-if code:0 (HTTP 404, permanent)", rule: "--transient http/response"},
		{name: "a fail rule's failure of which nothing is told", fail: texts{"0"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches --fail-if code:0", rule: "--fail-if code:0"},

		// The output takes precedence over the tool's exit status, which doesn't count after signals and timeouts.
		{name: "curl's status", tool: "curl", outcome: exited(6),
			want: Retry, reason: "exit status 6 (name resolution, transient)", rule: "--transient status/curl"},
		{name: "curl's permanent status", tool: "curl", outcome: exited(3),
			want: Stop, reason: "exit status 3 (bad URL, permanent)", rule: "--transient status/curl"},
		{name: "curl's status and its output", tool: "curl", outcome: told(56, Diagnosis{HTTP: 407, Failure: Failure{Rule: "http/response", Category: "HTTP 407", HTTP: 407}}),
			want: Stop, reason: "exit status 56 (HTTP 407, permanent)", rule: "--transient http/response"},
		{name: "another tool's status", tool: "date", outcome: exited(3), want: Retry, reason: "exit status 3"},
		{name: "curl timed out", tool: "curl", outcome: timedOut, want: Retry, reason: "timed out"},
		{name: "killed after trouble", outcome: Outcome{End: Killed, Status: 137, Signal: Signal{9, "SIGKILL"},
			Diagnosis: &Diagnosis{Failure: failing(refused)}},
			want: Retry, reason: "killed by SIGKILL (connection refused, transient)", rule: "--transient network/refused"},
		{name: "INT all the same", outcome: Outcome{End: Killed, Status: 130, Signal: Signal{2, "SIGINT"},
			Diagnosis: &Diagnosis{Failure: failing(refused)}}, want: Stop, reason: "killed by SIGINT"},

		// unsent: retried only if certainly not processed.
		{name: "unsent, refused", unsent: true, outcome: told(1, Diagnosis{Failure: failing(refused)}),
			want: Retry, reason: "exit status 1 (connection refused, transient)", rule: "--transient network/refused"},
		{name: "unsent, by curl's status", unsent: true, tool: "curl", outcome: exited(7),
			want: Retry, reason: "exit status 7 (no connection, transient)", rule: "--transient status/curl"},
		{name: "unsent, lost", unsent: true, outcome: told(1, Diagnosis{Failure: failing(lost)}),
			want: Stop, reason: "exit status 1 (connection lost), which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, refused after something", unsent: true, outcome: told(1, Diagnosis{Failure: failing(refused), Processed: true}),
			want: Stop, reason: "exit status 1 (connection refused), which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, 429", unsent: true, outcome: answered(22, 429),
			want: Retry, reason: "exit status 22 (HTTP 429, transient)", rule: "--transient http/response"},
		{name: "unsent, 503", unsent: true, outcome: answered(22, 503),
			want: Stop, reason: "exit status 22 (HTTP 503), which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, 503 that asks to come back", unsent: true,
			outcome: told(22, Diagnosis{HTTP: 503, Shown: true, Asked: true, Failure: Failure{Rule: "http/response", Category: "HTTP 503", Transient: true, HTTP: 503}}),
			want:    Retry, reason: "exit status 22 (HTTP 503, transient)", rule: "--transient http/response"},
		{name: "timed out after something was not found",
			outcome: Outcome{End: TimedOut, Status: StatusTimeout, Diagnosis: &Diagnosis{Failure: failing(absent)}},
			want:    Retry, reason: "timed out"},
		{name: "unsent, unknown", unsent: true, outcome: exited(1),
			want: Stop, reason: "exit status 1, which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, timed out", unsent: true, outcome: timedOut,
			want: Stop, reason: "timed out, which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, timed out after it was refused", unsent: true,
			outcome: Outcome{End: TimedOut, Status: StatusTimeout, Diagnosis: &Diagnosis{Failure: failing(refused)}},
			want:    Stop, reason: "timed out (connection refused), which may have been processed", rule: "--transient=unsent"},
		{name: "unsent, the user's word", unsent: true, retry: texts{"1"}, outcome: exited(1),
			want: Retry, reason: "exit status 1", rule: "--retry-if code:1"},
		{name: "unsent, success", unsent: true, outcome: exited(0), want: Success, reason: "exit status 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rules := Rules{
				SuccessIf: test.success.rules(t), FailIf: test.fail.rules(t),
				StopIf: test.stop.rules(t), RetryIf: test.retry.rules(t),
				Transient: &Transient{Tool: test.tool, Unsent: test.unsent},
			}
			if test.matches {
				test.outcome = matching(test.outcome, rules.SuccessIf)
			}
			v := rules.Judge(test.outcome)
			if v.Decision != test.want || v.Reason() != test.reason || v.Rule() != test.rule {
				t.Errorf("judged %v, %q, %q, want %v, %q, %q", v.Decision, v.Reason(), v.Rule(), test.want, test.reason, test.rule)
			}
		})
	}
}

func TestRunsOthers(t *testing.T) {
	for name, want := range map[string]bool{
		"sh": true, "make": true, "deploy.sh": true, "deploy.bash": true, "curl": false, "deploy.py": false, "shred": false,
	} {
		if got := RunsOthers(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestParseTransient(t *testing.T) {
	for mode, unsent := range map[string]bool{"": false, "unsent": true} {
		if got, ok := ParseTransient(mode); !ok || got.Unsent != unsent {
			t.Errorf("%q: %+v, %v", mode, got, ok)
		}
	}
	for _, mode := range []string{"sent", "unsent ", "true"} {
		if _, ok := ParseTransient(mode); ok {
			t.Errorf("%q is taken", mode)
		}
	}
}
