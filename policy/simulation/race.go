package simulation

import (
	"math/rand/v2"
	"time"

	"retry/policy"
)

// A race is one repetition of [Contention].
//
// It needs no queue of events. A write fails if another one succeeded since its read. So every attempt that read before the
// time T of the last success is bound to fail, whatever the others do, and can be replaced by the client's next one, until
// all attempts have read after T. Then the earliest write is the next success.
type race struct {
	mean, sd float64 // of a message's delay, in nanoseconds
	speaker  switchboard
	rng      *rand.Rand      // of the client that the switchboard is connected to
	first    policy.Sequence // the schedule before its first retry
	clients  []contender
	attempts []attempt // of the clients that have not succeeded yet
	calls    int
}

type contender struct {
	stream   stream
	sequence policy.Sequence
}

// An attempt holds the times at which the server sees a client's read and the write that follows.
type attempt struct {
	read, write time.Duration
	client      int32
}

func newRace(c Contention, n int, schedule policy.Schedule) *race {
	r := &race{mean: float64(c.Delay), sd: float64(c.Spread), clients: make([]contender, n)}
	r.rng = rand.New(&r.speaker)
	r.first = *schedule.Start(r.rng)
	return r
}

// run counts the writes until every client has succeeded, and returns when the last one has its answer. finished is false if
// the run was interrupted.
func (r *race) run(seed, repetition uint64, work *effort) (calls int, end time.Duration, finished bool) {
	r.begin(seed, repetition)
	changed, asked := time.Duration(0), 0
	for len(r.attempts) > 0 {
		if r.calls >= asked {
			asked += patience
			if !work.goOn() {
				return r.calls, end, false
			}
		}
		i := r.earliest(changed)
		winner := r.attempts[i]
		changed = winner.write
		r.calls++
		r.connect(winner.client)
		end = max(end, add(changed, r.message()))
		r.attempts[i] = r.attempts[len(r.attempts)-1]
		r.attempts = r.attempts[:len(r.attempts)-1]
	}
	return r.calls, end, true
}

// begin lets every client send its first read at time 0.
func (r *race) begin(seed, repetition uint64) {
	r.calls, r.attempts = 0, r.attempts[:0]
	for i := range r.clients {
		client := r.connect(int32(i))
		client.stream.start(seed, repetition, i)
		client.sequence = r.first
		read := r.message()
		r.attempts = append(r.attempts, attempt{read, read + r.twoMessages(), int32(i)})
	}
}

// earliest returns the index of the attempt that writes first, after replacing those that are bound to fail. A read at the
// instant of a write sees the row as that write leaves it; of writes at the same instant the lowest client's comes first.
func (r *race) earliest(changed time.Duration) int {
	first, at := 0, forever
	for i := range r.attempts {
		a := &r.attempts[i]
		for a.read < changed {
			r.retry(a)
		}
		if a.write < at || a.write == at && a.client < r.attempts[first].client {
			first, at = i, a.write
		}
	}
	return first
}

// retry replaces an attempt that fails by the client's next one: the answer, the sleep, and a read.
func (r *race) retry(a *attempt) {
	client := r.connect(a.client)
	r.calls++
	a.read = add(add(a.write, r.twoMessages()), client.sequence.Next())
	a.write = add(a.read, r.twoMessages())
}

// connect makes the random source draw for a client.
func (r *race) connect(client int32) *contender {
	c := &r.clients[client]
	r.speaker.stream = &c.stream
	return c
}

func (r *race) message() time.Duration { return gaussian(r.rng, r.mean, r.sd) }

func (r *race) twoMessages() time.Duration { return add(r.message(), r.message()) }
