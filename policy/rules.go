package policy

import "strconv"

// Rules decide what an attempt's outcome means.
type Rules struct {
	SuccessIf    []Rule     // success: any status rule (without one, status 0) and all patterns must match
	FailIf       []Rule     // any match is a failure; takes precedence over SuccessIf
	StopIf       []Rule     // any match makes a failure permanent
	RetryIf      []Rule     // if given, only failures that match one are retried
	Transient    *Transient // if given, failures are classified by their output and status
	UntilFailure bool       // the command's failure is the success
}

// A Rule is a condition on an outcome. Each kind of rule has its own file and a row in the table of [ParseRule].
type Rule interface {
	Match(Outcome) bool
	// String returns the rule as written on the command line.
	String() string
}

// Verdict is what to do after an attempt, and why.
type Verdict struct {
	Decision Decision
	Outcome  Outcome
	cause    cause
	rule     Rule
	failed   cause  // why it is a failure, if cause only decides whether to retry it
	broken   Rule   // the rule that made it a failure
	told     string // the category that --transient recognised, or how --judge ended
	row      string // the table row by which --transient recognised it
}

// Decision says what to do after an attempt.
type Decision int

// The decisions. Stop means a failure that is not worth retrying.
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

// Judge decides, in this order, whether the command could not be started, whether something ended the whole run, whether
// the attempt succeeded, whether its failure is permanent, and whether it is worth retrying.
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

// Foregone returns the verdict on an attempt that could not be started or that ended the whole run. For any other attempt
// decided is false.
func (r *Rules) Foregone(o Outcome) (v Verdict, decided bool) {
	if o.End == NotStarted {
		return r.judgeUnstarted(o), true
	}
	if o.endsRetrying() || o.End == Interrupted || o.End == DeadlinePassed {
		return Verdict{Decision: Stop, Outcome: o}, true
	}
	return Verdict{}, false
}

// JudgedBy returns the verdict of the --judge command: status 0 means success, 1 and 75 (EX_TEMPFAIL) mean retry, anything
// else means stop.
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

// judgeUnstarted stops, because the command will probably be missing the next time too, unless the fault may go away by
// itself or a retry rule names the status.
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

// judgeSuccess requires a successful status and a match of every pattern of the success rules.
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

// judgeStatus considers only the status: --until-failure, else the success rules that aren't patterns, else 0.
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

// judgeTurned judges for --until-failure: the command itself must fail. Not finding, not executing or ending it doesn't
// count.
func judgeTurned(o Outcome) Verdict {
	switch {
	case o.Status == 0:
		return Verdict{Decision: Retry, Outcome: o, cause: wantsFailure}
	case o.timedOut(), o.Status == StatusNotExecuted, o.Status == StatusNotFound:
		return Verdict{Decision: Retry, Outcome: o}
	}
	return Verdict{Decision: Success, Outcome: o}
}

// judgeFailure decides whether to retry a failure.
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

// decided returns the verdict with its decision, cause and rule replaced.
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

// Reason describes the outcome and names the rule, if any, that made it a success, a failure or permanent.
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

// failure says why the attempt is a failure, unless its outcome says so.
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

// Rule returns the option and the rule that decided, or an empty text if none did.
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
