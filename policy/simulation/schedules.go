package simulation

import (
	"time"

	"retry/policy"
)

// Named is a schedule and its budget. Name is a word for files, Label is for people.
type Named struct {
	Name, Label string
	Schedule    policy.Schedule
	Budget      Shared
}

// Compared returns a schedule and simpler relatives of it, which have no budget:
//
//	this        the schedule itself, with its budget; the label is the caller's to change
//	unbudgeted  the same without, if it has one
//	none        no backoff: every sleep is zero
//	constant    every sleep is the nominal delay before the first retry, within the cap
//	unjittered  the same backoff and cap without randomness
func Compared(this policy.Schedule, budget Shared) []Named {
	list := []Named{{"this", "this schedule", this, budget}}
	if budget != (Shared{}) {
		list = append(list, Named{Name: "unbudgeted", Label: "the same without the budget", Schedule: this})
	}
	first := this.Backoff.Delay(1)
	if this.Cap > 0 {
		first = min(first, this.Cap)
	}
	return append(list,
		without("none", "no backoff", policy.Constant(0), 0),
		without("constant", "always "+policy.FormatDuration(first), policy.Constant(first), 0),
		without("unjittered", "the same without jitter", this.Backoff, this.Cap),
	)
}

// without returns a schedule without jitter and budget.
func without(name, label string, backoff policy.Backoff, cap time.Duration) Named {
	return Named{Name: name, Label: label, Schedule: policy.Schedule{Backoff: backoff, Jitter: policy.None{}, Cap: cap}}
}

// Jittered returns a schedule with each of the other jitters that Brooker compares: full, equal and decorrelated, the last one
// only if the backoff is exponential, because it has no other.
func Jittered(this policy.Schedule) []Named {
	jitters := []policy.Jitter{policy.Full{}, policy.Equal{}}
	if _, ok := this.Backoff.(policy.Exponential); ok {
		jitters = append(jitters, policy.Decorrelated{})
	}
	var list []Named
	for _, jitter := range jitters {
		if jitter == this.Jitter {
			continue
		}
		other := policy.Schedule{Backoff: this.Backoff, Jitter: jitter, Cap: this.Cap}
		list = append(list, Named{Name: jitter.String(), Label: "the same with " + jitter.String() + " jitter", Schedule: other})
	}
	return list
}
