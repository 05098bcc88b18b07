package simulation

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"retry/policy"
)

// A crowd is the clients of an outage. It has two lists of clients for every tick of the run, so that the cost of an event doesn't
// depend on the number of clients: those that wake during the tick to send a request, and those that sent one during it and
// still wait. A client is in one list at a time. Within a tick the order doesn't matter, because the server does nothing between
// two ticks, except for clients that fail and share budgets: they queue.
//
// Lists are linked by index. Index 0 ends a list, so clients[0] is not used.
type crowd struct {
	clients       []client
	first         policy.Sequence // the schedule before its first retry
	next          []int32         // the next client in a client's list
	wake, waiting []int32         // the first client of each tick's list
	speaker       switchboard
	rng           *rand.Rand // of the client that the switchboard is connected to
	called        []int32    // the list that call returned last
}

// A client fills two cache lines.
type client struct {
	sequence policy.Sequence
	stream   stream
	at       time.Duration // when it wakes, or sent its request
	failing  bool
	_        [15]byte
}

func newCrowd(size, ticks int, schedule policy.Schedule) *crowd {
	c := &crowd{
		clients: make([]client, size+1),
		next:    make([]int32, size+1),
		wake:    make([]int32, ticks),
		waiting: make([]int32, ticks),
	}
	c.rng = rand.New(&c.speaker)
	c.first = *schedule.Start(c.rng)
	return c
}

// enter prepares a client for its first request.
func (c *crowd) enter(id int32, seed uint64) {
	c.clients[id].sequence = c.first
	c.clients[id].stream.start(seed, 0, int(id))
}

// call empties a list and returns the clients that were in it. The result is valid until the next call.
func (c *crowd) call(first *int32) []int32 {
	c.called = c.called[:0]
	for id := *first; id != 0; id = c.next[id] {
		c.called = append(c.called, id)
	}
	*first = 0
	return c.called
}

// join adds a client to a list.
func (c *crowd) join(first *int32, id int32) {
	c.next[id] = *first
	*first = id
}

// queue sorts clients by when they sent their requests, which is the order in which they fail and ask for tokens.
func (c *crowd) queue(list []int32) {
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.clients[a].at, c.clients[b].at), cmp.Compare(a, b))
	})
}

// wakeAt lets a client send its next request at that time, or never if the run is over by then.
func (c *crowd) wakeAt(id int32, at time.Duration) {
	if t := at / tick; t < time.Duration(len(c.wake)) {
		c.clients[id].at = at
		c.join(&c.wake[t], id)
	}
}

// think lets a client wake after a random time with that mean, and resets its schedule.
func (c *crowd) think(id int32, now, mean time.Duration) {
	client := &c.clients[id]
	if client.failing {
		client.failing = false
		client.sequence.Reset()
	}
	c.speaker.stream = &client.stream
	c.wakeAt(id, add(now, exponential(c.rng, mean)))
}

// fail lets a client wake after the next sleep of its schedule.
func (c *crowd) fail(id int32, now time.Duration) {
	client := &c.clients[id]
	client.failing = true
	c.speaker.stream = &client.stream
	c.wakeAt(id, add(now, client.sequence.Next()))
}
