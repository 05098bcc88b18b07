package simulation

import "retry/policy"

// Named is a schedule under the name it has in the tables, and its budget.
type Named struct {
	Name     string
	Schedule policy.Schedule
	Budget   Shared
}

// Compared is a schedule beside its simpler relatives, which have no budget:
//
//	this        the schedule itself, with its budget
//	unbudgeted  the same without, if it has one
//	none        no backoff: every sleep is zero
//	constant    every sleep is the nominal delay before the first retry, within the cap
//	unjittered  the same backoff and cap without randomness
func Compared(this policy.Schedule, budget Shared) []Named {
	list := []Named{{"this", this, budget}}
	if budget != (Shared{}) {
		list = append(list, Named{Name: "unbudgeted", Schedule: this})
	}
	fixed := policy.Constant(this.Backoff.Delay(1))
	return append(list,
		Named{Name: "none", Schedule: policy.Schedule{Backoff: policy.Constant(0), Jitter: policy.None{}}},
		Named{Name: "constant", Schedule: policy.Schedule{Backoff: fixed, Jitter: policy.None{}, Cap: this.Cap}},
		Named{Name: "unjittered", Schedule: policy.Schedule{Backoff: this.Backoff, Jitter: policy.None{}, Cap: this.Cap}},
	)
}
