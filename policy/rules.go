package policy

// Rules decide what an attempt's outcome means.
type Rules struct {
	SuccessIf    []Rule // any one of a status makes it a success, and status 0 where there is none; all patterns must match
	FailIf       []Rule // any one makes it a failure, and wins
	StopIf       []Rule // any one makes a failure permanent
	RetryIf      []Rule // when given, only failures that one of them matches are retried
	UntilFailure bool   // the command's own status is turned round
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
)

// Judge follows the order of judgement. Did a signal to retry or the deadline end everything, could the command start, was it
// killed by INT, QUIT or PIPE, did it succeed, is a failure permanent, is it worth another try.
func (r *Rules) Judge(o Outcome) Verdict {
	if o.End == NotStarted {
		return r.judgeUnstarted(o)
	}
	if o.endsRetrying() || o.End == Interrupted || o.End == DeadlinePassed {
		return Verdict{Decision: Stop, Outcome: o}
	}
	v := r.judgeSuccess(o)
	if v.Decision == Success {
		return v
	}
	return r.judgeFailure(v)
}

// judgeUnstarted stops, since the command will not be there the next time either, unless the trouble is a passing one
// or a retry rule names the status.
func (r *Rules) judgeUnstarted(o Outcome) Verdict {
	if rule := firstMatch(r.StopIf, o); rule != nil {
		return Verdict{Stop, o, byStopRule, rule}
	}
	if rule := firstMatch(r.RetryIf, o); rule != nil {
		return Verdict{Retry, o, byRetryRule, rule}
	}
	if o.Passing {
		return Verdict{Decision: Retry, Outcome: o}
	}
	return Verdict{Decision: Stop, Outcome: o}
}

// judgeSuccess asks for the wanted status and, beside it, for every pattern of the success rules.
func (r *Rules) judgeSuccess(o Outcome) Verdict {
	if rule := firstMatch(r.FailIf, o); rule != nil {
		return Verdict{Retry, o, byFailRule, rule}
	}
	v := r.judgeStatus(o)
	if v.Decision != Success {
		return v
	}
	for _, rule := range r.SuccessIf {
		if pattern, ok := rule.(*Pattern); ok {
			if !pattern.Match(o) {
				return Verdict{Retry, o, withoutPattern, pattern}
			}
			v = Verdict{Success, o, bySuccessRule, pattern}
		}
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
			return Verdict{Success, o, bySuccessRule, rule}
		}
		named = true
	}
	switch {
	case named:
		return Verdict{Retry, o, noSuccessRule, nil}
	case o.Status == 0:
		return Verdict{Decision: Success, Outcome: o}
	}
	return Verdict{Decision: Retry, Outcome: o}
}

// judgeTurned wants the command to fail, which not finding it, not executing it and ending it do not show.
func judgeTurned(o Outcome) Verdict {
	switch {
	case o.Status == 0:
		return Verdict{Retry, o, wantsFailure, nil}
	case o.timedOut(), o.Status == StatusNotExecuted, o.Status == StatusNotFound:
		return Verdict{Decision: Retry, Outcome: o}
	}
	return Verdict{Decision: Success, Outcome: o}
}

// judgeFailure takes the verdict on a failure that would be retried.
func (r *Rules) judgeFailure(v Verdict) Verdict {
	if rule := firstMatch(r.StopIf, v.Outcome); rule != nil {
		return Verdict{Stop, v.Outcome, byStopRule, rule}
	}
	if len(r.RetryIf) == 0 {
		return v
	}
	if rule := firstMatch(r.RetryIf, v.Outcome); rule != nil {
		return Verdict{Retry, v.Outcome, byRetryRule, rule}
	}
	return Verdict{Stop, v.Outcome, noRetryRule, nil}
}

func firstMatch(rules []Rule, o Outcome) Rule {
	for _, rule := range rules {
		if rule.Match(o) {
			return rule
		}
	}
	return nil
}

// Reason is the verdict in words: what happened and, where a rule made it a success, a failure or permanent, which.
func (v Verdict) Reason() string {
	what := v.Outcome.String()
	switch v.cause {
	case noSuccessRule:
		return what + " matches no --success-if rule"
	case noRetryRule:
		return what + " matches no --retry-if rule"
	case withoutPattern:
		return what + " without a match of " + v.Rule()
	case wantsFailure:
		return what + ", and --until-failure wants a failure"
	case byDefault, byRetryRule:
		return what
	}
	return what + " matches " + v.Rule()
}

// Rule is the option and the rule that decided, or empty where none did.
func (v Verdict) Rule() string {
	if v.rule == nil {
		return ""
	}
	option := map[cause]string{
		bySuccessRule: "--success-if", byFailRule: "--fail-if", byStopRule: "--stop-if", byRetryRule: "--retry-if",
		withoutPattern: "--success-if",
	}[v.cause]
	return option + " " + v.rule.String()
}
