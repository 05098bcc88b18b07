package policy

import "strconv"

// Rules decide what an attempt's outcome means.
type Rules struct {
	SuccessIf    []Rule     // any one of a status makes it a success, and status 0 where there is none; all patterns must match
	FailIf       []Rule     // any one makes it a failure, and wins
	StopIf       []Rule     // any one makes a failure permanent
	RetryIf      []Rule     // when given, only failures that one of them matches are retried
	Transient    *Transient // when given, failures are told apart by what they tell of themselves
	UntilFailure bool       // the command's own status is turned round
}

// A Rule is a condition on an outcome. A kind of rule is a file of its own and a row of the table in [ParseRule].
type Rule interface {
	Match(Outcome) bool
	// String is the rule as the command line writes it.
	String() string
}

// Verdict is what to do after an attempt, and why.
type Verdict struct {
	Decision Decision
	Outcome  Outcome
	cause    cause
	rule     Rule
	failed   cause  // by what it is a failure at all, if another cause decided what to do about that
	broken   Rule   // the rule that made it one
	told     string // what --transient recognised, or how --judge ended
	row      string // the row of the table by which it did
}

// Decision is the heart of a verdict.
type Decision int

// The decisions. Stop is a failure that is not worth a retry.
const (
	Success Decision = iota
	Retry
	Stop
)

func (d Decision) String() string { return [...]string{"success", "retry", "stop"}[d] }

type cause int

const (
	byDefault cause = iota
	bySuccessRule
	byFailRule
	byStopRule
	byRetryRule
	noSuccessRule
	noRetryRule
	withoutPattern
	wantsFailure
	shownStatus
	transient
	permanent
	perhapsProcessed
	byJudge
)

// Judge follows the order of judgement. Did a signal to retry or the deadline end everything, could the command start, was it
// killed by INT, QUIT or PIPE, did it succeed, is a failure permanent, is it worth another try.
func (r *Rules) Judge(o Outcome) Verdict {
	if v, decided := r.Foregone(o); decided {
		return v
	}
	v := r.judgeSuccess(o)
	if v.Decision == Success {
		return v
	}
	return r.judgeFailure(v)
}

// Foregone is the verdict on an attempt that leaves nothing to judge, where decided is true: it could not start, or it
// was ended by what ends everything.
func (r *Rules) Foregone(o Outcome) (v Verdict, decided bool) {
	if o.End == NotStarted {
		return r.judgeUnstarted(o), true
	}
	if o.endsRetrying() || o.End == Interrupted || o.End == DeadlinePassed {
		return Verdict{Decision: Stop, Outcome: o}, true
	}
	return Verdict{}, false
}

// JudgedBy is the verdict of a command that was asked: 0 is success, 1 and 75 (EX_TEMPFAIL) want another attempt,
// anything else ends retrying.
func JudgedBy(judge, o Outcome) Verdict {
	v := Verdict{Decision: Stop, Outcome: o, cause: byJudge, told: judge.String()}
	if judge.End == Exited {
		switch judge.Status {
		case 0:
			v.Decision = Success
		case 1, 75:
			v.Decision = Retry
		}
	}
	return v
}

// judgeUnstarted stops, since the command will not be there the next time either, unless the trouble is a passing one
// or a retry rule names the status.
func (r *Rules) judgeUnstarted(o Outcome) Verdict {
	if rule := firstMatch(r.StopIf, o); rule != nil {
		return Verdict{Decision: Stop, Outcome: o, cause: byStopRule, rule: rule}
	}
	if rule := firstMatch(r.RetryIf, o); rule != nil {
		return Verdict{Decision: Retry, Outcome: o, cause: byRetryRule, rule: rule}
	}
	if o.Passing {
		return Verdict{Decision: Retry, Outcome: o}
	}
	return Verdict{Decision: Stop, Outcome: o}
}

// judgeSuccess asks for the wanted status and, beside it, for every pattern of the success rules.
func (r *Rules) judgeSuccess(o Outcome) Verdict {
	if rule := firstMatch(r.FailIf, o); rule != nil {
		return Verdict{Decision: Retry, Outcome: o, cause: byFailRule, rule: rule}
	}
	v := r.judgeStatus(o)
	if v.Decision != Success {
		return v
	}
	for _, rule := range r.SuccessIf {
		if pattern, ok := rule.(*Pattern); ok {
			if !pattern.Match(o) {
				return Verdict{Decision: Retry, Outcome: o, cause: withoutPattern, rule: pattern}
			}
			v = Verdict{Decision: Success, Outcome: o, cause: bySuccessRule, rule: pattern}
		}
	}
	if r.Transient != nil && v.cause == byDefault && r.Transient.hidden(o) {
		v.Decision, v.cause = Retry, shownStatus
	}
	return v
}

// judgeStatus looks at the status alone: the success rules that name one, the turned one, or 0.
func (r *Rules) judgeStatus(o Outcome) Verdict {
	if r.UntilFailure {
		return judgeTurned(o)
	}
	named := false
	for _, rule := range r.SuccessIf {
		if _, ok := rule.(*Pattern); ok {
			continue
		}
		if rule.Match(o) {
			return Verdict{Decision: Success, Outcome: o, cause: bySuccessRule, rule: rule}
		}
		named = true
	}
	switch {
	case named:
		return Verdict{Decision: Retry, Outcome: o, cause: noSuccessRule}
	case o.Status == 0:
		return Verdict{Decision: Success, Outcome: o}
	}
	return Verdict{Decision: Retry, Outcome: o}
}

// judgeTurned wants the command to fail, which not finding it, not executing it and ending it do not show.
func judgeTurned(o Outcome) Verdict {
	switch {
	case o.Status == 0:
		return Verdict{Decision: Retry, Outcome: o, cause: wantsFailure}
	case o.timedOut(), o.Status == StatusNotExecuted, o.Status == StatusNotFound:
		return Verdict{Decision: Retry, Outcome: o}
	}
	return Verdict{Decision: Success, Outcome: o}
}

// judgeFailure takes the verdict on a failure that would be retried.
func (r *Rules) judgeFailure(v Verdict) Verdict {
	v.failed, v.broken = v.cause, v.rule
	if rule := firstMatch(r.StopIf, v.Outcome); rule != nil {
		return v.decided(Stop, byStopRule, rule)
	}
	if rule := firstMatch(r.RetryIf, v.Outcome); rule != nil {
		return v.decided(Retry, byRetryRule, rule)
	}
	if r.Transient != nil {
		if judged, decided := r.Transient.judge(v); decided {
			return judged
		}
	}
	if len(r.RetryIf) == 0 {
		return v
	}
	return v.decided(Stop, noRetryRule, nil)
}

// decided is the verdict on a failure with what decided it.
func (v Verdict) decided(d Decision, by cause, rule Rule) Verdict {
	v.Decision, v.cause, v.rule = d, by, rule
	return v
}

func firstMatch(rules []Rule, o Outcome) Rule {
	for _, rule := range rules {
		if rule.Match(o) {
			return rule
		}
	}
	return nil
}

// Throttled reports whether the server wants fewer requests.
func (v Verdict) Throttled() bool {
	return v.Decision == Retry && v.Outcome.Diagnosis != nil && v.Outcome.Diagnosis.Failure.Throttled
}

// Reason is the verdict in words: what happened and, where a rule made it a success, a failure or permanent, which.
func (v Verdict) Reason() string {
	what := v.Outcome.String()
	if v.cause != byStopRule {
		what += v.failure()
	}
	switch v.cause {
	case noRetryRule:
		if v.failed == byFailRule || v.failed == noSuccessRule {
			return what + " and no --retry-if rule"
		}
		return what + " matches no --retry-if rule"
	case byJudge:
		return what + ", and --judge: " + v.told
	case transient:
		return what + " (" + v.told + ", transient)"
	case permanent:
		return what + " (" + v.told + ", permanent)"
	case perhapsProcessed:
		if v.told != "" {
			what += " (" + v.told + ")"
		}
		return what + ", which may have been processed"
	case shownStatus:
		return what + " (HTTP " + strconv.Itoa(v.Outcome.Diagnosis.HTTP) + ")"
	case bySuccessRule, byStopRule:
		return what + " matches " + v.Rule()
	}
	return what
}

// failure is what made the attempt a failure, where its end alone doesn't.
func (v Verdict) failure() string {
	by, rule := v.cause, v.rule
	if v.failed != byDefault {
		by, rule = v.failed, v.broken
	}
	switch by {
	case byFailRule:
		return " matches --fail-if " + rule.String()
	case noSuccessRule:
		return " matches no --success-if rule"
	case withoutPattern:
		return " without a match of --success-if " + rule.String()
	case wantsFailure:
		return ", and --until-failure waits for a failure"
	}
	return ""
}

// Rule is the option and the rule that decided, or empty where none did.
func (v Verdict) Rule() string {
	switch v.cause {
	case byJudge:
		return "--judge"
	case transient, permanent:
		return "--transient " + v.row
	case perhapsProcessed:
		return "--transient=unsent"
	}
	if v.rule == nil {
		return ""
	}
	option := map[cause]string{
		bySuccessRule: "--success-if", byFailRule: "--fail-if", byStopRule: "--stop-if", byRetryRule: "--retry-if",
		withoutPattern: "--success-if",
	}[v.cause]
	return option + " " + v.rule.String()
}
