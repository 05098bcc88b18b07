package policy

import "strings"

// Transient tells failures that are worth another try from those that are not, by what the attempt's output and status
// tell. What it doesn't recognise is worth one.
type Transient struct {
	Tool   string // the command's base name, whose exit statuses may be known
	Unsent bool   // worth it is only what surely has not been processed
}

// ParseTransient reads the mode: nothing, or unsent.
func ParseTransient(mode string) (*Transient, bool) {
	return &Transient{Unsent: mode == "unsent"}, mode == "" || mode == "unsent"
}

// failure is what the outcome tells. The output knows better than the status.
func (t *Transient) failure(o Outcome) Failure {
	if o.Diagnosis != nil && o.Diagnosis.Failure.Category != "" {
		return o.Diagnosis.Failure
	}
	if o.End != Exited {
		return Failure{}
	}
	failure, _ := StatusFailure(t.Tool, o.Status)
	return failure
}

// judge takes the verdict on a failure that would be retried. decided is false where it is for others to decide.
func (t *Transient) judge(v Verdict) (verdict Verdict, decided bool) {
	if v.Outcome.Diagnosis == nil {
		v.Outcome.Diagnosis = &Diagnosis{}
	}
	failure := t.failure(v.Outcome)
	v.told, v.row = failure.Category, failure.Rule
	worth := failure.Transient
	if t.Unsent {
		told := v.Outcome.Diagnosis
		// What was ended from outside may have been about another request than the one that it told of.
		worth = v.Outcome.End == Exited && !told.Processed && (failure.Unsent || told.unsent())
	}
	switch {
	case worth:
		v.Decision, v.cause = Retry, transient
	case t.Unsent:
		v.Decision, v.cause = Stop, perhapsProcessed
	case v.told != "" && !v.Outcome.timedOut(): // what it told of on the way is not why it was ended
		v.Decision, v.cause = Stop, permanent
	default:
		return v, false
	}
	return v, true
}

// hidden reports whether a command that exited 0 failed all the same: the response that it showed tells so. Such a
// response counts where nothing follows it, or where the command is a tool that exits 0 whatever the server says. So
// does what apt could not fetch: an update goes on without.
func (t *Transient) hidden(o Outcome) bool {
	d := o.Diagnosis
	switch {
	case d == nil:
		return false
	case d.Shown && d.HTTP >= 400:
		return d.Last || hidesStatus(t.Tool)
	case t.Tool == "wget2":
		return d.Failure.Category != ""
	}
	return (t.Tool == "apt-get" || t.Tool == "apt") && strings.HasPrefix(d.Evidence.Text, "w: failed to fetch ")
}

// RunsOthers reports whether a command, given by its base name, is one that runs a sequence of others.
func RunsOthers(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "make", "gmake", "just", "task", "ninja", "xargs", "parallel", "pwsh", "cmd":
		return true
	}
	return strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".bash")
}
