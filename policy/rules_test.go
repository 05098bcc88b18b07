package policy

import (
	"reflect"
	"testing"
	"time"
)

func exited(status int) Outcome { return Outcome{End: Exited, Status: status} }

var (
	timedOut      = Outcome{End: TimedOut, Status: StatusTimeout}
	idle          = Outcome{End: Idle, Status: StatusTimeout}
	notFound      = Outcome{End: NotStarted, Status: StatusNotFound, Fault: "command not found"}
	notExecutable = Outcome{End: NotStarted, Status: StatusNotExecuted, Fault: "permission denied"}
	forkTrouble   = Outcome{End: NotStarted, Status: StatusNotExecuted, Fault: "out of processes", Passing: true}
)

func killed(name string) Outcome {
	number, _ := signalNumber(name)
	return Outcome{End: Killed, Status: StatusSignalOffset + number, Signal: Signal{number, name}}
}

// texts are rules as written on the command line.
type texts []string

func (list texts) rules(t *testing.T) (rules []Rule) {
	t.Helper()
	for _, text := range list {
		rule, err := ParseRule(text, signalNumber)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	return rules
}

// The rows are in the order of judgement.
func TestJudge(t *testing.T) {
	tests := []struct {
		name         string
		success      texts
		fail         texts
		stop         texts
		retry        texts
		untilFailure bool
		outcome      Outcome
		want         Decision
		reason       string
	}{
		// 1. Something ended the whole run: no rule can make that a success or retry it.
		{name: "interrupted", success: texts{"any"}, retry: texts{"any"},
			outcome: Outcome{End: Interrupted, Status: 143, Signal: Signal{15, "SIGTERM"}},
			want:    Stop, reason: "interrupted by SIGTERM"},
		{name: "interrupted, exit status 0", outcome: Outcome{End: Interrupted, Signal: Signal{15, "SIGTERM"}},
			want: Stop, reason: "interrupted by SIGTERM"},
		{name: "interrupted is not the failure waited for", untilFailure: true,
			outcome: Outcome{End: Interrupted, Status: 143, Signal: Signal{15, "SIGTERM"}},
			want:    Stop, reason: "interrupted by SIGTERM"},
		{name: "the deadline", success: texts{"any", "timeout"}, retry: texts{"any", "timeout"},
			outcome: Outcome{End: DeadlinePassed, Status: StatusTimeout}, want: Stop, reason: "the deadline passed"},

		// 2. The command could not be started.
		{name: "not found", outcome: notFound, want: Stop, reason: "command not found"},
		{name: "not executable", outcome: notExecutable, want: Stop, reason: "permission denied"},
		{name: "not found, a retry rule names it", retry: texts{"1", "127"}, outcome: notFound,
			want: Retry, reason: "command not found"},
		{name: "not executable, a retry rule names it", retry: texts{"126"}, outcome: notExecutable,
			want: Retry, reason: "permission denied"},
		{name: "not found, a retry rule names another status", retry: texts{"126"}, outcome: notFound,
			want: Stop, reason: "command not found"},
		{name: "not found, stop beats retry", stop: texts{"127"}, retry: texts{"127"}, outcome: notFound,
			want: Stop, reason: "command not found matches --stop-if code:127"},
		{name: "not found is no success", success: texts{"127"}, outcome: notFound,
			want: Stop, reason: "command not found"},
		{name: "not found, a fail rule does not make it worth a retry", fail: texts{"127"}, outcome: notFound,
			want: Stop, reason: "command not found"},
		{name: "not found is not the failure waited for", untilFailure: true, outcome: notFound,
			want: Stop, reason: "command not found"},
		{name: "not found is no timeout and no signal", retry: texts{"timeout", "signal:KILL"}, outcome: notFound,
			want: Stop, reason: "command not found"},
		{name: "fork trouble", outcome: forkTrouble, want: Retry, reason: "out of processes"},
		{name: "fork trouble, no retry rule names it", retry: texts{"75"}, outcome: forkTrouble,
			want: Retry, reason: "out of processes"},
		{name: "fork trouble, a stop rule names it", stop: texts{"126"}, outcome: forkTrouble,
			want: Stop, reason: "out of processes matches --stop-if code:126"},
		{name: "fork trouble is no success", success: texts{"126"}, outcome: forkTrouble,
			want: Retry, reason: "out of processes"},

		// 3. It was killed by a signal that ends retrying.
		{name: "INT", outcome: killed("SIGINT"), want: Stop, reason: "killed by SIGINT"},
		{name: "QUIT", outcome: killed("SIGQUIT"), want: Stop, reason: "killed by SIGQUIT"},
		{name: "PIPE", outcome: killed("SIGPIPE"), want: Stop, reason: "killed by SIGPIPE"},
		{name: "INT beats a retry rule", retry: texts{"any", "signal:INT"}, outcome: killed("SIGINT"),
			want: Stop, reason: "killed by SIGINT"},
		{name: "QUIT beats a success rule", success: texts{"signal:QUIT"}, outcome: killed("SIGQUIT"),
			want: Stop, reason: "killed by SIGQUIT"},
		{name: "PIPE beats a fail rule", fail: texts{"any"}, outcome: killed("SIGPIPE"),
			want: Stop, reason: "killed by SIGPIPE"},
		{name: "PIPE is not the failure waited for", untilFailure: true, outcome: killed("SIGPIPE"),
			want: Stop, reason: "killed by SIGPIPE"},
		{name: "TERM does not end retrying", outcome: killed("SIGTERM"), want: Retry, reason: "killed by SIGTERM"},
		{name: "the status of INT is not INT", outcome: exited(130), want: Retry, reason: "exit status 130"},
		{name: "a timeout by INT does not end retrying",
			outcome: Outcome{End: TimedOut, Status: StatusTimeout, Signal: Signal{2, "SIGINT"}},
			want:    Retry, reason: "timed out"},

		// 3. It timed out.
		{name: "timeout", outcome: timedOut, want: Retry, reason: "timed out"},
		{name: "timeout is timeout", retry: texts{"timeout"}, outcome: timedOut,
			want: Retry, reason: "timed out"},
		{name: "timeout is code 124", retry: texts{"code:124"}, outcome: timedOut,
			want: Retry, reason: "timed out"},
		{name: "timeout is no signal", retry: texts{"signal:TERM,KILL"},
			outcome: Outcome{End: TimedOut, Status: StatusTimeout, Signal: Signal{9, "SIGKILL"}},
			want:    Stop, reason: "timed out matches no --retry-if rule"},
		{name: "exit status 124 is no timeout", retry: texts{"timeout"}, outcome: exited(124),
			want: Stop, reason: "exit status 124 matches no --retry-if rule"},
		{name: "killed is no timeout", retry: texts{"timeout"}, outcome: killed("SIGKILL"),
			want: Stop, reason: "killed by SIGKILL matches no --retry-if rule"},
		{name: "idle timeout is timeout", retry: texts{"timeout"}, outcome: idle,
			want: Retry, reason: "timed out without output"},
		{name: "idle timeout is code 124", stop: texts{"124"}, outcome: idle,
			want: Stop, reason: "timed out without output matches --stop-if code:124"},
		{name: "timeout may be a success", success: texts{"timeout"}, outcome: timedOut,
			want: Success, reason: "timed out matches --success-if timeout"},

		// 5. Success?
		{name: "status 0", outcome: exited(0), want: Success, reason: "exit status 0"},
		{name: "status 1", outcome: exited(1), want: Retry, reason: "exit status 1"},
		{name: "fail rule", fail: texts{"0"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches --fail-if code:0"},
		{name: "fail rule that does not match", fail: texts{"3"}, outcome: exited(0),
			want: Success, reason: "exit status 0"},
		{name: "any one fail rule", fail: texts{"3", "0-2", "0"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches --fail-if code:0-2"},
		{name: "fail beats success", fail: texts{"3"}, success: texts{"3"}, outcome: exited(3),
			want: Retry, reason: "exit status 3 matches --fail-if code:3"},
		{name: "success rule", success: texts{"0,3"}, outcome: exited(3),
			want: Success, reason: "exit status 3 matches --success-if code:0,3"},
		{name: "success rules instead of status 0", success: texts{"3"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches no --success-if rule"},
		{name: "success rules unite, code", success: texts{"3", "signal:SEGV"}, outcome: exited(3),
			want: Success, reason: "exit status 3 matches --success-if code:3"},
		{name: "success rules unite, signal", success: texts{"3", "signal:SEGV"}, outcome: killed("SIGSEGV"),
			want: Success, reason: "killed by SIGSEGV matches --success-if signal:SEGV"},
		{name: "success rules unite, none", success: texts{"3", "signal:SEGV"}, outcome: killed("SIGKILL"),
			want: Retry, reason: "killed by SIGKILL matches no --success-if rule"},
		{name: "a signal is its status too", success: texts{"137"}, outcome: killed("SIGKILL"),
			want: Success, reason: "killed by SIGKILL matches --success-if code:137"},
		{name: "a status is not its signal", success: texts{"signal:KILL"}, outcome: exited(137),
			want: Retry, reason: "exit status 137 matches no --success-if rule"},
		{name: "a success needs no retry rule", retry: texts{"75"}, outcome: exited(0),
			want: Success, reason: "exit status 0"},
		{name: "a success is not stopped", stop: texts{"0"}, outcome: exited(0),
			want: Success, reason: "exit status 0"},

		// 5. Until failure.
		{name: "until failure, status 0", untilFailure: true, outcome: exited(0),
			want: Retry, reason: "exit status 0, and --until-failure waits for a failure"},
		{name: "until failure, status 1", untilFailure: true, outcome: exited(1),
			want: Success, reason: "exit status 1"},
		{name: "until failure, status 124", untilFailure: true, outcome: exited(124),
			want: Success, reason: "exit status 124"},
		{name: "until failure, status 125", untilFailure: true, outcome: exited(125),
			want: Success, reason: "exit status 125"},
		{name: "until failure, status 128", untilFailure: true, outcome: exited(128),
			want: Success, reason: "exit status 128"},
		{name: "until failure, signal", untilFailure: true, outcome: killed("SIGSEGV"),
			want: Success, reason: "killed by SIGSEGV"},
		{name: "until failure, status 126", untilFailure: true, outcome: exited(126),
			want: Retry, reason: "exit status 126"},
		{name: "until failure, status 127", untilFailure: true, outcome: exited(127),
			want: Retry, reason: "exit status 127"},
		{name: "until failure, timeout", untilFailure: true, outcome: timedOut, want: Retry, reason: "timed out"},
		{name: "until failure, idle timeout", untilFailure: true, outcome: idle,
			want: Retry, reason: "timed out without output"},
		{name: "until failure, fail rule wins", untilFailure: true, fail: texts{"2"}, outcome: exited(2),
			want: Retry, reason: "exit status 2 matches --fail-if code:2"},
		{name: "until failure, status 0 can be stopped", untilFailure: true, stop: texts{"0"}, outcome: exited(0),
			want: Stop, reason: "exit status 0 matches --stop-if code:0"},

		// 6. Permanent failures.
		{name: "stop rule", stop: texts{"2", "22"}, outcome: exited(22),
			want: Stop, reason: "exit status 22 matches --stop-if code:22"},
		{name: "stop rule that does not match", stop: texts{"2"}, outcome: exited(22),
			want: Retry, reason: "exit status 22"},
		{name: "stop beats retry", stop: texts{"22"}, retry: texts{"22"}, outcome: exited(22),
			want: Stop, reason: "exit status 22 matches --stop-if code:22"},
		{name: "stop beats fail", stop: texts{"0"}, fail: texts{"0"}, outcome: exited(0),
			want: Stop, reason: "exit status 0 matches --stop-if code:0"},
		{name: "stop on timeout", stop: texts{"timeout"}, outcome: timedOut,
			want: Stop, reason: "timed out matches --stop-if timeout"},
		{name: "stop on signal", stop: texts{"signal:SEGV"}, outcome: killed("SIGSEGV"),
			want: Stop, reason: "killed by SIGSEGV matches --stop-if signal:SEGV"},

		// 7. Whether it is worth retrying.
		{name: "retry rule", retry: texts{"2", "75"}, outcome: exited(75),
			want: Retry, reason: "exit status 75"},
		{name: "no retry rule matches", retry: texts{"2", "75"}, outcome: exited(1),
			want: Stop, reason: "exit status 1 matches no --retry-if rule"},
		{name: "no retry rule matches a fail rule's failure", fail: texts{"0"}, retry: texts{"75"}, outcome: exited(0),
			want: Stop, reason: "exit status 0 matches --fail-if code:0 and no --retry-if rule"},
		{name: "a retry rule matches a fail rule's failure", fail: texts{"0"}, retry: texts{"0"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches --fail-if code:0"},
		{name: "a retry rule matches, with success rules", success: texts{"3"}, retry: texts{"0"}, outcome: exited(0),
			want: Retry, reason: "exit status 0 matches no --success-if rule"},
		{name: "no retry rule matches, with success rules", success: texts{"3"}, retry: texts{"75"}, outcome: exited(0),
			want: Stop, reason: "exit status 0 matches no --success-if rule and no --retry-if rule"},
		{name: "retry and stop, neither matches", stop: texts{"2"}, retry: texts{"75"}, outcome: exited(1),
			want: Stop, reason: "exit status 1 matches no --retry-if rule"},
		{name: "retry rule of a signal", retry: texts{"signal:KILL"}, outcome: killed("SIGKILL"),
			want: Retry, reason: "killed by SIGKILL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rules := Rules{
				SuccessIf: test.success.rules(t), FailIf: test.fail.rules(t),
				StopIf: test.stop.rules(t), RetryIf: test.retry.rules(t),
				UntilFailure: test.untilFailure,
			}
			verdict := rules.Judge(test.outcome)
			if verdict.Decision != test.want || verdict.Reason() != test.reason {
				t.Errorf("judged %v, %q, want %v, %q", verdict.Decision, verdict.Reason(), test.want, test.reason)
			}
			if !reflect.DeepEqual(verdict.Outcome, test.outcome) {
				t.Errorf("the verdict is on %+v, want %+v", verdict.Outcome, test.outcome)
			}
		})
	}
}

// Without rules, every status except 0 and every signal except three is retried.
func TestJudgeByDefault(t *testing.T) {
	for status := range 256 {
		want := Retry
		if status == 0 {
			want = Success
		}
		if got := new(Rules).Judge(exited(status)).Decision; got != want {
			t.Errorf("exit status %d: %v, want %v", status, got, want)
		}
	}
	for number := 1; number < 65; number++ {
		outcome := Outcome{End: Killed, Status: StatusSignalOffset + number, Signal: Signal{number, "SIGOTHER"}}
		if got := new(Rules).Judge(outcome).Decision; got != Retry {
			t.Errorf("signal %d: %v, want retry", number, got)
		}
	}
}

func TestVerdictRule(t *testing.T) {
	rules := Rules{
		SuccessIf: texts{"1"}.rules(t), FailIf: texts{"2"}.rules(t),
		StopIf: texts{"3"}.rules(t), RetryIf: texts{"2,4"}.rules(t),
	}
	tests := []struct {
		rules   Rules
		outcome Outcome
		want    string
	}{
		{rules, exited(1), "--success-if code:1"},
		{rules, exited(2), "--retry-if code:2,4"},
		{rules, exited(3), "--stop-if code:3"},
		{rules, exited(4), "--retry-if code:2,4"},
		{rules, exited(5), ""},
		{Rules{FailIf: rules.FailIf}, exited(2), "--fail-if code:2"},
		{Rules{SuccessIf: rules.SuccessIf}, exited(0), ""},
		{Rules{UntilFailure: true}, exited(0), ""},
		{Rules{}, exited(0), ""},
		{Rules{}, killed("SIGINT"), ""},
		{Rules{}, notFound, ""},
	}
	for _, test := range tests {
		if got := test.rules.Judge(test.outcome).Rule(); got != test.want {
			t.Errorf("%v: decided by %q, want %q", test.outcome, got, test.want)
		}
	}
}

func TestJudgedBy(t *testing.T) {
	for _, test := range []struct {
		judge  Outcome
		want   Decision
		reason string
	}{
		{exited(0), Success, "exit status 3, and --judge: exit status 0"},
		{exited(1), Retry, "exit status 3, and --judge: exit status 1"},
		{exited(75), Retry, "exit status 3, and --judge: exit status 75"},
		{exited(2), Stop, "exit status 3, and --judge: exit status 2"},
		{timedOut, Stop, "exit status 3, and --judge: timed out"},
		{Outcome{End: TimedOut, Status: 0}, Stop, "exit status 3, and --judge: timed out"},
	} {
		v := JudgedBy(test.judge, exited(3))
		if v.Decision != test.want || v.Reason() != test.reason || v.Rule() != "--judge" {
			t.Errorf("%v, %q, %q, want %v, %q", v.Decision, v.Reason(), v.Rule(), test.want, test.reason)
		}
	}
}

// Only a retry can be slowed down by throttling.
func TestThrottled(t *testing.T) {
	busy := told(1, Diagnosis{Failure: Failure{Throttled: true}})
	for _, test := range []struct {
		verdict Verdict
		want    bool
	}{
		{Verdict{Decision: Retry, Outcome: busy}, true},
		{Verdict{Decision: Stop, Outcome: busy}, false},
		{Verdict{Decision: Success, Outcome: busy}, false},
		{Verdict{Decision: Retry, Outcome: told(1, Diagnosis{})}, false},
		{Verdict{Decision: Retry, Outcome: exited(1)}, false},
	} {
		if got := test.verdict.Throttled(); got != test.want {
			t.Errorf("%+v: %v", test.verdict, got)
		}
	}
}

func TestDecisionString(t *testing.T) {
	for decision, want := range map[Decision]string{Success: "success", Retry: "retry", Stop: "stop"} {
		if got := decision.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestOutcomeString(t *testing.T) {
	tests := []struct {
		outcome Outcome
		want    string
	}{
		{exited(0), "exit status 0"},
		{exited(255), "exit status 255"},
		{Outcome{End: Exited, Status: 3, Duration: time.Hour}, "exit status 3"},
		{killed("SIGKILL"), "killed by SIGKILL"},
		{timedOut, "timed out"},
		{idle, "timed out without output"},
		{notFound, "command not found"},
		{Outcome{End: Interrupted, Status: 143, Signal: Signal{15, "SIGTERM"}}, "interrupted by SIGTERM"},
		{Outcome{End: DeadlinePassed, Status: StatusTimeout}, "the deadline passed"},
	}
	for _, test := range tests {
		if got := test.outcome.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
	}
}
