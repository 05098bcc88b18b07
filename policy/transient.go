package policy

import "strings"

// Transient decides by an attempt's output and exit status whether its failure is worth retrying. A failure that it doesn't
// recognise is.
type Transient struct {
	Tool   string // the command's base name, for its exit statuses
	Unsent bool   // retry only if the request was certainly not processed
}

// ParseTransient parses the mode: empty or unsent.
func ParseTransient(mode string) (*Transient, bool) {
	return &Transient{Unsent: mode == "unsent"}, mode == "" || mode == "unsent"
}

// failure returns the failure that the outcome reports. The output takes precedence over the exit status.
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

// judge decides whether to retry a failure. If it doesn't recognise the failure, decided is false.
func (t *Transient) judge(v Verdict) (verdict Verdict, decided bool) {
	if v.Outcome.Diagnosis == nil {
		v.Outcome.Diagnosis = &Diagnosis{}
	}
	failure := t.failure(v.Outcome)
	v.told, v.row = failure.Category, failure.Rule
	worth := failure.Transient
	if t.Unsent {
		told := v.Outcome.Diagnosis
		// A command that was ended may have sent another request after the one it reported on.
		worth = v.Outcome.End == Exited && !told.Processed && (failure.Unsent || told.unsent())
	}
	switch {
	case worth:
		v.Decision, v.cause = Retry, transient
	case t.Unsent:
		v.Decision, v.cause = Stop, perhapsProcessed
	case v.told != "" && !v.Outcome.timedOut(): // an earlier failure is not why it timed out
		v.Decision, v.cause = Stop, permanent
	default:
		return v, false
	}
	return v, true
}

// hidden reports whether a command that exited with status 0 failed nevertheless: it printed an HTTP error response, and
// nothing after it, or is a tool that exits 0 on any response. apt update also exits 0 when it could not fetch a file.
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

// RunsOthers reports whether a command, given by its base name, usually runs a sequence of other commands.
func RunsOthers(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "make", "gmake", "just", "task", "ninja", "xargs", "parallel", "pwsh", "cmd":
		return true
	}
	return strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".bash")
}
