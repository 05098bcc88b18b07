package simulation

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"retry/policy"
)

const ms = time.Millisecond

func contention(tb testing.TB, text string) Contention {
	c, err := ParseContention(text)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// brooker returns a schedule of the published program, with full jitter if none is given.
func brooker(base time.Duration, jitter policy.Jitter) policy.Schedule {
	if jitter == nil {
		jitter = policy.Full{}
	}
	return policy.Schedule{Backoff: policy.Exponential{Base: base, Factor: 2}, Jitter: jitter, Cap: 2 * time.Second}
}

// published lists the mean calls of the published program, with a hundred clients.
var published = []struct {
	name     string
	schedule policy.Schedule
	calls    float64
}{
	{"unjittered", brooker(10*ms, policy.None{}), 1854},
	{"equal", brooker(10*ms, policy.Equal{}), 812},
	{"full", brooker(10*ms, policy.Full{}), 796},
	{"decorrelated", brooker(5*ms, policy.Decorrelated{}), 997},
	{"none", Compared(brooker(10*ms, nil), Shared{})[1].Schedule, 2424},
}

func TestContentionAgreesWithPublishedNumbers(t *testing.T) {
	t.Parallel()
	c := contention(t, "clients=100")
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			for seed := range uint64(3) {
				result := c.Run(p.schedule, seed, nil)
				row := result.Rows[0]
				t.Logf("calls %.1f ± %.1f, %.0f expected; %.0f ± %.0f ms", row.Calls.Mean, row.Calls.SD, p.calls,
					row.Time.Mean, row.Time.SD)
				if math.Abs(row.Calls.Mean/p.calls-1) > 0.05 {
					t.Errorf("seed %d: %.1f calls are not within 5 %% of %.0f", seed, row.Calls.Mean, p.calls)
				}
				if !result.Complete || len(result.Rows) != 1 || row.Clients != 100 || row.Repetitions != 100 {
					t.Errorf("seed %d: %+v", seed, result)
				}
			}
		})
	}
}

// The model without its shortcut, message by message, makes the same calls and ends at the same time.
func TestContentionAgreesWithEveryMessage(t *testing.T) {
	tests := []string{"clients=1", "clients=2", "clients=3", "clients=40", "clients=40,delay=0",
		"clients=40,spread=20ms", "clients=7,spread=0", "clients=40,delay=1s,spread=1ns"}
	for _, text := range tests {
		c := contention(t, text)
		for _, p := range published {
			r := newRace(c, c.Clients[0], p.schedule)
			for seed := range uint64(5) {
				calls, end, finished := r.run(seed, 9, &effort{})
				wantCalls, wantEnd := everyMessage(c, p.schedule, seed, 9)
				if calls != wantCalls || end != wantEnd || !finished {
					t.Errorf("%s, %s, seed %d: %d calls until %v, not %d until %v", text, p.name, seed, calls, end,
						wantCalls, wantEnd)
				}
			}
		}
	}
}

// A message on its way: a client's read or write to the server, or the answer to one.
type message struct {
	at     time.Duration
	kind   int
	client int
}

// Events at the same time happen in this order.
const (
	writeArrives = iota
	readAnswered
	readArrives
	writeAnswered
)

type messages []message

func (m messages) Len() int { return len(m) }
func (m messages) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(m[i].at, m[j].at), cmp.Compare(m[i].kind, m[j].kind),
		cmp.Compare(m[i].client, m[j].client)) < 0
}
func (m messages) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *messages) Push(x any)   { *m = append(*m, x.(message)) }
func (m *messages) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

// everyMessage draws the delays of an answer and of the message that follows it together, as the race does.
func everyMessage(c Contention, schedule policy.Schedule, seed, repetition uint64) (calls int, end time.Duration) {
	n := c.Clients[0]
	streams, versions, sequences := make([]*rand.Rand, n), make([]int, n), make([]*policy.Sequence, n)
	mean, sd, version, queue := float64(c.Delay), float64(c.Spread), 0, messages{}
	for i := range n {
		var s stream
		s.start(seed, repetition, i)
		streams[i] = rand.New(&s)
		sequences[i] = schedule.Start(streams[i])
		heap.Push(&queue, message{gaussian(streams[i], mean, sd), readArrives, i})
	}
	for queue.Len() > 0 {
		m := heap.Pop(&queue).(message)
		delay := func() time.Duration { return gaussian(streams[m.client], mean, sd) }
		end = m.at
		switch m.kind {
		case readArrives:
			versions[m.client] = version
			heap.Push(&queue, message{m.at, readAnswered, m.client})
		case readAnswered:
			heap.Push(&queue, message{m.at + delay() + delay(), writeArrives, m.client})
		case writeArrives:
			calls++
			if versions[m.client] == version {
				version++
				heap.Push(&queue, message{m.at + delay(), writeAnswered, m.client})
				continue
			}
			next := m.at + delay() + delay()
			heap.Push(&queue, message{next + sequences[m.client].Next(), readArrives, m.client})
		}
	}
	return calls, end
}

func TestContentionOfOne(t *testing.T) {
	row := contention(t, "clients=1,repetitions=10000").Run(brooker(ms, nil), 1, nil).Rows[0]
	if row.Calls != (Spread{1, 0}) {
		t.Errorf("%+v calls, not 1 each time", row.Calls)
	}
	// Four messages of N(10, 2): 40 ± 4.
	if math.Abs(row.Time.Mean-40) > 0.2 || math.Abs(row.Time.SD-4) > 0.15 {
		t.Errorf("%+v ms, not 40 ± 4", row.Time)
	}
}

func TestContentionEndsWhateverTheSchedule(t *testing.T) {
	for _, backoff := range []policy.Backoff{policy.Constant(0), policy.Constant(forever),
		policy.Exponential{Base: forever, Factor: 2}, policy.Exponential{Base: time.Hour, Factor: 1e300}} {
		for _, text := range []string{"clients=20", "clients=20,delay=0,spread=0", "clients=20,delay=1h,spread=1h"} {
			result := contention(t, text).Run(policy.Schedule{Backoff: backoff, Jitter: policy.None{}}, 1, nil)
			if row := result.Rows[0]; row.Calls.Mean < 20 || !(row.Time.Mean >= 0) {
				t.Errorf("%s, %v: %+v", text, backoff, row)
			}
		}
	}
}

func TestContentionRows(t *testing.T) {
	c := contention(t, "clients=10-40,repetitions=5")
	whole := c.Run(brooker(10*ms, nil), 1, nil)
	if len(whole.Rows) != 4 || whole.Rows[3].Clients != 40 || !whole.Complete {
		t.Errorf("%+v", whole)
	}
	alone := contention(t, "clients=40,repetitions=5").Run(brooker(10*ms, nil), 1, nil)
	if alone.Rows[0] != whole.Rows[3] {
		t.Errorf("a row depends on the others: %+v, %+v alone", whole.Rows[3], alone.Rows[0])
	}
	if again := c.Run(brooker(10*ms, nil), 1, nil); !slices.Equal(again.Rows, whole.Rows) {
		t.Errorf("the same seed gives %+v, then %+v", whole, again)
	}
	if other := c.Run(brooker(10*ms, nil), 2, nil); other.Rows[3] == whole.Rows[3] {
		t.Errorf("another seed gives the same: %+v", other.Rows[3])
	}
}

func TestContentionInterrupted(t *testing.T) {
	c := contention(t, "clients=10-40,repetitions=5")
	whole := c.Run(brooker(10*ms, nil), 1, nil)
	last := -1.0
	for stop := range 20 {
		asked := 0
		part := c.Run(brooker(10*ms, nil), 1, func(done float64) bool {
			if asked++; done < 0 || done > 1 || asked > 1 && done < last {
				t.Errorf("progress %v after %v", done, last)
			}
			last = done
			return asked <= stop
		})
		if asked != stop+1 {
			t.Errorf("asked %d times, though it was told to stop at question %d", asked, stop+1)
		}
		rows := stop / 5
		if part.Complete || !slices.Equal(part.Rows[:rows], whole.Rows[:rows]) {
			t.Errorf("stopped after %d: %+v", stop, part)
		}
		if stop%5 > 0 && part.Rows[rows].Repetitions != stop%5 || len(part.Rows) != (stop+4)/5 {
			t.Errorf("stopped after %d: %+v", stop, part)
		}
	}
}

// Progress is the fraction of the work that is done; a repetition of n clients counts n².
func TestContentionProgress(t *testing.T) {
	var got []float64
	contention(t, "clients=10-30/20,repetitions=2").Run(brooker(10*ms, nil), 1, func(done float64) bool {
		got = append(got, done)
		return true
	})
	for i, want := range []float64{0, 100, 200, 1100} {
		if i >= len(got) || math.Abs(got[i]-want/2000) > 1e-12 {
			t.Fatalf("progress %v, and %v of 2000 at question %d", got, want, i)
		}
	}
	if len(got) != 4 {
		t.Errorf("asked %d times, not once a repetition", len(got))
	}
}

// However short a repetition is, a run can be stopped at its start. In a long repetition it can be stopped every patience calls.
func TestContentionIsAskedOften(t *testing.T) {
	asked := 0
	work := effort{progress: func(float64) bool { asked++; return true }, total: 1}
	for _, clients := range []int{1, 1000} {
		asked = 0
		none := Compared(brooker(10*ms, nil), Shared{})[1].Schedule
		calls, _, _ := newRace(contention(t, ""), clients, none).run(1, 0, &work)
		if want := 1 + calls/patience; asked != want {
			t.Errorf("%d clients: asked %d times in %d calls, not %d", clients, asked, calls, want)
		}
	}
}

func TestParseContention(t *testing.T) {
	c := contention(t, "clients=10-35/5,delay=20ms,spread=0,repetitions=3")
	if got := fmt.Sprint(c); got != "{[10 15 20 25 30 35] 20ms 0s 3}" {
		t.Error(got)
	}
	if got := contention(t, ""); len(got.Clients) != 20 || got.Clients[19] != 200 || got.Delay != 10*ms {
		t.Error(got)
	}
}
