package simulation

import (
	"slices"
	"time"

	"retry/policy"
)

// Shared is a retry budget that the clients of one machine spend together: the first PerMachine of them, the next, and
// so on. The zero Shared is none.
type Shared struct {
	policy.Budget
	PerMachine int
}

// StandardPerMachine is how many clients are on a machine where that is not told.
const StandardPerMachine = 10

// machines are the buckets of the clients of an outage, by machine. There are none without a budget.
type machines struct {
	Shared
	buckets []policy.Bucket
}

func newMachines(s Shared, clients int) machines {
	m := machines{Shared: s}
	if s.PerMachine > 0 {
		m.buckets = slices.Repeat([]policy.Bucket{s.Full(0)}, (clients-1)/s.PerMachine+1)
	}
	return m
}

func (m *machines) bucket(id int32) *policy.Bucket { return &m.buckets[int(id-1)/m.PerMachine] }

// allow takes a token for a client's retry, if there is one.
func (m *machines) allow(id int32, now time.Duration) (ok bool) {
	if m.buckets == nil {
		return true
	}
	bucket := m.bucket(id)
	*bucket, ok = m.Take(*bucket, now)
	return ok
}

// succeeded gives back what a client's success does.
func (m *machines) succeeded(id int32, now time.Duration) {
	if m.buckets == nil {
		return
	}
	bucket := m.bucket(id)
	*bucket = m.GiveBack(*bucket, now)
}
