package policy

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

// trouble is what the outcome tells. The output knows better than the status.
func (t *Transient) trouble(o Outcome) Trouble {
	if o.Heard != nil && o.Heard.Trouble.Category != "" {
		return o.Heard.Trouble
	}
	if o.End != Exited {
		return Trouble{}
	}
	trouble, _ := StatusTrouble(t.Tool, o.Status)
	return trouble
}

// judge takes the verdict on a failure that would be retried. decided is false where it is for others to decide.
func (t *Transient) judge(v Verdict) (verdict Verdict, decided bool) {
	if v.Outcome.Heard == nil {
		v.Outcome.Heard = &Heard{}
	}
	trouble := t.trouble(v.Outcome)
	v.told = trouble.Category
	worth := trouble.Transient
	if t.Unsent {
		heard := v.Outcome.Heard
		// What was ended from outside may have been about another request than the one that it told of.
		worth = v.Outcome.End == Exited && !heard.Processed && (trouble.Unsent || heard.unsent())
	}
	switch {
	case worth:
		v.Decision, v.cause = Retry, transient
	case t.Unsent:
		v.Decision, v.cause = Stop, perhapsProcessed
	case v.told != "":
		v.Decision, v.cause = Stop, permanent
	default:
		return v, false
	}
	return v, true
}
