package simulation

import "retry/policy"

// Named is a schedule under the name it has in the tables.
type Named struct {
	Name     string
	Schedule policy.Schedule
}

// Compared is a schedule beside its simpler relatives:
//
//	this        the schedule itself
//	none        no backoff: every sleep is zero
//	constant    every sleep is the nominal delay before the first retry, within the cap
//	unjittered  the same backoff and cap without randomness
func Compared(this policy.Schedule) []Named {
	fixed := policy.Constant(this.Backoff.Delay(1))
	return []Named{
		{"this", this},
		{"none", policy.Schedule{Backoff: policy.Constant(0), Jitter: policy.None{}}},
		{"constant", policy.Schedule{Backoff: fixed, Jitter: policy.None{}, Cap: this.Cap}},
		{"unjittered", policy.Schedule{Backoff: this.Backoff, Jitter: policy.None{}, Cap: this.Cap}},
	}
}
