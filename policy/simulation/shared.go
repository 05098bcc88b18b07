package simulation

import (
	"slices"
	"time"

	"retry/policy"
)

// Shared is a retry budget that the clients of one machine share: the first PerMachine clients, the next, and so on. The zero
// value means no budget.
type Shared struct {
	policy.Budget
	PerMachine int
}

// StandardPerMachine is the default number of clients on a machine.
const StandardPerMachine = 10

// machines holds the buckets of an outage, one for each machine. Without a budget there are none.
type machines struct {
	Shared
	buckets []policy.Bucket
}

func newMachines(s Shared, clients int) machines {
	m := machines{Shared: s}
	if s.PerMachine > 0 {
		m.buckets = slices.Repeat([]policy.Bucket{s.Full(0)}, clients/s.PerMachine+1)
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

// succeeded gives back the refund for a client's success.
func (m *machines) succeeded(id int32, now time.Duration) {
	if m.buckets == nil {
		return
	}
	bucket := m.bucket(id)
	*bucket = m.GiveBack(*bucket, now)
}
