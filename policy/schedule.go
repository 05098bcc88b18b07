package policy

import (
	"math"
	"math/rand/v2"
	"time"
)

// A Schedule computes sleeps: a backoff, limited by a cap, randomised by a jitter.
type Schedule struct {
	Backoff Backoff
	Jitter  Jitter
	Cap     time.Duration // 0 for none
}

// Start starts the schedule at its first retry.
func (s Schedule) Start(rng *rand.Rand) *Sequence {
	q := &Sequence{schedule: s, rng: rng}
	q.Reset()
	return q
}

// Jittered reports whether the sleeps are random.
func (s Schedule) Jittered() bool { return s.Jitter != None{} }

// A Sequence is a schedule in progress.
type Sequence struct {
	schedule Schedule
	rng      *rand.Rand
	step     Step
	n        int
}

// Next returns the sleep before the next retry.
func (q *Sequence) Next() time.Duration {
	if q.n < math.MaxInt {
		q.n++
	}
	q.step.Delay = q.step.bound(q.schedule.Backoff.Delay(q.n))
	q.step.Previous = q.schedule.Jitter.Sleep(q.step, q.rng)
	return q.step.Previous
}

// Reset goes back to the first retry. The random source is not reset.
func (q *Sequence) Reset() {
	base := q.schedule.Backoff.Delay(1)
	q.n, q.step = 0, Step{Base: base, Previous: base, Cap: q.schedule.Cap}
}
