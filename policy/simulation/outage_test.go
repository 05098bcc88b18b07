package simulation

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"retry/policy"
)

func outage(tb testing.TB, format string, args ...any) Outage {
	o, err := ParseOutage(fmt.Sprintf(format, args...))
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

// smirnov is the published client's schedule.
func smirnov(base time.Duration) policy.Schedule {
	return policy.Schedule{Backoff: policy.Exponential{Base: base, Factor: 2.71828}, Jitter: policy.Normal(0.1),
		Cap: 5 * time.Minute}
}

var (
	fixed       = policy.Schedule{Backoff: policy.Constant(100 * ms), Jitter: policy.None{}}
	fromHundred = smirnov(100 * ms)
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	t.Logf("%s: %.1f, %v expected", what, got, want)
	if got < 0.95*want || got > 1.05*want {
		t.Errorf("%s: %.1f is not within 5 %% of %v", what, got, want)
	}
}

// mean returns the mean number of pending requests in the seconds [from, to).
func mean(samples []OutageSample, from, to int) float64 {
	sum := int64(0)
	for _, s := range samples[from:to] {
		sum += s.InHand
	}
	return float64(sum) / float64(to-from)
}

// succeeds reports whether any client succeeds from a second on.
func succeeds(samples []OutageSample, from int) bool {
	return slices.ContainsFunc(samples[from:], func(s OutageSample) bool { return s.OK > 0 })
}

// The numbers of an independent model.
func TestOutageAgreesWithPublishedNumbers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("dropped, fixed, seed %d", seed), func(t *testing.T) {
			r := outage(t, "clients=1500,abandon=yes").Run(fixed, seed, nil)
			near(t, "in hand", mean(r.Samples, 70, 120), 1440)
			if _, ok := r.Recovered(); ok || succeeds(r.Samples, 40) {
				t.Error("it recovers")
			}
		})
		t.Run(fmt.Sprintf("dropped, exponential, seed %d", seed), func(t *testing.T) {
			r := outage(t, "clients=1500,abandon=yes").Run(fromHundred, seed, nil)
			at, ok := r.Recovered()
			t.Log("recovers at", at)
			if !ok || at > 45*time.Second {
				t.Error("it does not recover, or late:", at, ok)
			}
		})
		t.Run(fmt.Sprintf("kept, fixed, seed %d", seed), func(t *testing.T) {
			r := outage(t, "clients=1000,abandon=no").Run(fixed, seed, nil)
			near(t, "in hand at 45 s", float64(r.Samples[45].InHand), 8300)
			near(t, "more every second", float64(r.Samples[115].InHand-r.Samples[65].InHand)/50, 475)
			if _, ok := r.Recovered(); ok || succeeds(r.Samples, 41) {
				t.Error("it recovers")
			}
		})
		t.Run(fmt.Sprintf("kept, exponential, seed %d", seed), func(t *testing.T) {
			r := outage(t, "clients=1000,abandon=no").Run(fromHundred, seed, nil)
			near(t, "in hand at 45 s", float64(r.Samples[45].InHand), 4800)
			if _, ok := r.Recovered(); ok || succeeds(r.Samples, 41) {
				t.Error("it recovers")
			}
		})
		t.Run(fmt.Sprintf("kept, exponential from 27 s, seed %d", seed), func(t *testing.T) {
			r := outage(t, "clients=1000,abandon=no").Run(smirnov(27*time.Second), seed, nil)
			near(t, "peak", float64(r.Peak), 860)
			at, ok := r.Recovered()
			t.Log("recovers at", at)
			if !ok {
				t.Error("it does not recover")
			}
		})
	}
}

// Before the outage the clients send clients/(think + answer) requests a second, each of which is pending for the 100 ms of the
// answer and half a tick.
func TestOutageBefore(t *testing.T) {
	r := outage(t, "clients=100000,limit=100000,outage=1s@60s,duration=66s").Run(fromHundred, 1, nil)
	near(t, "normal", r.Normal, 100_000/10.1005)
	near(t, "in hand", mean(r.Samples, 1, 60), 100_000/10.1005*0.1005)
}

// A model without lists and counters, which looks at every request individually, gives the same results.
func TestOutageAgreesWithEveryLook(t *testing.T) {
	t.Parallel()
	tests := []string{
		"clients=30,limit=2,step=1",
		"clients=30,limit=2,step=1,abandon=yes",
		"clients=100,limit=3,step=2,outage=8s@6s",
		"clients=100,limit=3,step=2,abandon=yes,outage=8s@6s",
		"clients=100,think=1s,limit=9,step=3,abandon=yes,timeout=333.3ms,outage=4s@3s",
		"clients=100,think=1s,limit=9,step=3,timeout=1.0000001s,outage=3s@3s",
		"clients=100,think=0,limit=40,step=20,delay=70ms,timeout=700ms,growth=2,outage=3s@3s",
		"clients=1,think=10ms,limit=0,delay=1ms",
		"clients=2,think=100ms,timeout=1ms,outage=0s@2s",
		"clients=20,think=100ms,timeout=60ms,delay=1ms,limit=10,outage=1.234s@2.345s",
		"clients=30,limit=100,outage=0@5s",
		"clients=30,limit=3,timeout=30s,abandon=yes",
		"clients=2,think=0,delay=300ms,timeout=300.5ms,outage=0@2.104s", // some answers come just as the timeout ends
	}
	schedules := []policy.Schedule{fixed, fromHundred, smirnov(27 * time.Second), brooker(time.Second, nil),
		Compared(fixed, Shared{})[1].Schedule, {Backoff: policy.Constant(forever), Jitter: policy.None{}}}
	for _, text := range tests {
		for seed, schedule := range schedules {
			o := outage(t, "%s", text)
			o.Duration = (o.Start + o.Length + 7*time.Second).Truncate(time.Second)
			agrees(t, o, schedule, uint64(seed))
		}
	}
}

func agrees(t *testing.T, o Outage, schedule policy.Schedule, seed uint64) {
	t.Helper()
	got, want := o.Run(schedule, seed, nil).Samples, everyLook(o, schedule, seed, tick)
	for second := range want {
		if got[second] != want[second] {
			t.Fatalf("%+v, %v, second %d: %+v, not %+v", o, schedule, second, got[second], want[second])
		}
	}
}

// The result doesn't depend on the server's clock having ticks.
func TestOutageHardlyDependsOnTheTick(t *testing.T) {
	t.Parallel()
	o := outage(t, "clients=1000,duration=60s,abandon=yes")
	for _, schedule := range []policy.Schedule{fixed, fromHundred} {
		var ok, fine, hand, fineHand float64
		for seed := range uint64(4) {
			got, want := o.Run(schedule, seed, nil).Samples, everyLook(o, schedule, seed, time.Microsecond)
			for second := range want {
				ok, fine = ok+float64(got[second].OK), fine+float64(want[second].OK)
				hand, fineHand = hand+float64(got[second].InHand), fineHand+float64(want[second].InHand)
			}
		}
		near(t, "successes", ok, fine)
		near(t, "in hand", hand, fineHand)
	}
}

// look is an event of everyLook. At the same time, the server looks first, at the oldest requests first; then the clients act in
// their order.
type look struct {
	at     time.Duration
	kind   int
	taken  time.Duration
	client int
	serial int
}

const (
	looksAt = iota
	expires
	wakes
)

func (a look) compare(b look) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.taken, b.taken),
		cmp.Compare(a.client, b.client), cmp.Compare(a.serial, b.serial))
}

// everyLook simulates an outage literally as described, with the server's clock in units of a tick.
func everyLook(o Outage, schedule policy.Schedule, seed uint64, tick time.Duration) []OutageSample {
	samples := make([]OutageSample, o.Duration/time.Second)
	streams, sequences := make([]*rand.Rand, o.Clients+1), make([]*policy.Sequence, o.Clients+1)
	waitsFor, failing := make([]int, o.Clients+1), make([]bool, o.Clients+1)
	inHand, serial, resume := int64(0), 0, o.Start+o.Length
	area := make([]time.Duration, len(samples))
	var queue binaryHeap
	change := func(at time.Duration, by int64) {
		inHand += by
		area[at/time.Second] += time.Duration(by) * (time.Second - at%time.Second)
		for s := int(at/time.Second) + 1; s < len(area); s++ {
			area[s] += time.Duration(by) * time.Second
		}
	}
	var buckets []policy.Bucket
	for range o.Clients {
		buckets = append(buckets, o.Budget.Full(0))
	}
	think := func(id int, at time.Duration) {
		if failing[id] {
			failing[id] = false
			sequences[id].Reset()
		}
		queue.push(look{at: add(at, exponential(streams[id], o.Think)), kind: wakes, client: id})
	}
	for i := 1; i <= o.Clients; i++ {
		var s stream
		s.start(seed, 0, i)
		streams[i] = rand.New(&s)
		sequences[i] = schedule.Start(streams[i])
		think(i, 0)
	}
	dropped := map[int]bool{}
	for len(queue) > 0 {
		e := queue.pop()
		if e.at >= o.Duration {
			break
		}
		now := &samples[e.at/time.Second]
		switch e.kind {
		case wakes:
			serial++
			waitsFor[e.client] = serial
			change(e.at, 1)
			if failing[e.client] {
				now.Retries++
			}
			taken := (e.at/tick + 1) * tick
			if e.at >= o.Start && e.at < resume {
				taken = resume
			}
			queue.push(look{taken + Every, looksAt, taken, e.client, serial})
			queue.push(look{e.at + o.Timeout, expires, 0, e.client, serial})
		case expires:
			if waitsFor[e.client] != e.serial {
				continue
			}
			waitsFor[e.client] = 0
			now.Timeouts++
			if o.Abandon {
				dropped[e.serial] = true
				change(e.at, -1)
			}
			if o.Budget.PerMachine > 0 {
				bucket, ok := &buckets[(e.client-1)/o.Budget.PerMachine], false
				if *bucket, ok = o.Budget.Take(*bucket, e.at); !ok {
					now.GivenUp++
					think(e.client, e.at)
					continue
				}
			}
			failing[e.client] = true
			queue.push(look{at: add(e.at, sequences[e.client].Next()), kind: wakes, client: e.client})
		case looksAt:
			stands := e.at >= o.Start && e.at < resume
			switch {
			case dropped[e.serial]:
			case stands || e.at-e.taken < o.Answer(inHand):
				e.at += Every
				queue.push(e)
			default:
				change(e.at, -1)
				if waitsFor[e.client] == e.serial {
					waitsFor[e.client] = 0
					now.OK++
					if o.Budget.PerMachine > 0 {
						bucket := &buckets[(e.client-1)/o.Budget.PerMachine]
						*bucket = o.Budget.GiveBack(*bucket, e.at)
					}
					think(e.client, e.at)
				}
			}
		}
	}
	for s := range samples {
		samples[s].InHand = int64(area[s].Round(time.Second) / time.Second)
	}
	return samples
}

type binaryHeap []look

func (h *binaryHeap) push(e look) {
	*h = append(*h, e)
	for i := len(*h) - 1; i > 0 && (*h)[i].compare((*h)[(i-1)/2]) < 0; i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

func (h *binaryHeap) pop() look {
	q := *h
	first, last := q[0], len(q)-1
	q[0], q = q[last], q[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q); child++ {
			if q[child].compare(q[least]) < 0 {
				least = child
			}
		}
		if least == i {
			break
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
	*h = q
	return first
}

func TestOutageInterrupted(t *testing.T) {
	o := outage(t, "clients=200")
	whole := o.Run(fromHundred, 1, nil)
	if !whole.Complete || len(whole.Samples) != 120 {
		t.Errorf("complete %v, %d samples", whole.Complete, len(whole.Samples))
	}
	if want := whole.successes(1, 20) / 19; whole.Normal != want { // the outage starts at 20 s
		t.Errorf("%v successes per second are normal, not %v", whole.Normal, want)
	}
	for _, stop := range []float64{0, 0.1, 19.9 / 120, 20.0 / 120, 0.3, 0.5, 0.99, 1} {
		last := 0.0
		part := o.Run(fromHundred, 1, func(done float64) bool {
			if done < last || done > 1 {
				t.Errorf("progress %v after %v", done, last)
			}
			last = done
			return done < stop
		})
		n := len(part.Samples)
		if part.Complete != (stop == 1) || n != int(stop*120+0.01) || !slices.Equal(part.Samples, whole.Samples[:n]) {
			t.Errorf("stopped at %v: complete %v, %d samples", stop, part.Complete, n)
		}
		if before := int(o.Start / time.Second); n < before && part.Normal != 0 || n >= before && part.Normal != whole.Normal {
			t.Errorf("stopped at %v: %v successes per second are normal, not %v", stop, part.Normal, whole.Normal)
		}
		if _, ok := part.Recovered(); ok && stop < 0.4 {
			t.Errorf("stopped at %v, and recovered", stop)
		}
	}
}

// A run that is stopped while the clients are being prepared has no results, and progress is also called in time if a single tick
// has very many requests.
func TestOutageIsAskedOften(t *testing.T) {
	asked := 0
	o := outage(t, "clients=200000")
	if r := o.Run(fromHundred, 1, func(done float64) bool { asked++; return asked < 3 }); asked != 3 || r.Complete || len(r.Samples) > 0 {
		t.Errorf("asked %d times: %d samples, complete %v", asked, len(r.Samples), r.Complete)
	}
	first, prepared := 0.0, 0
	crowded := outage(t, "clients=200000,think=10ms,duration=25s,outage=0@20s")
	crowded.Run(fixed, 1, func(done float64) bool {
		if first = done; done == 0 {
			prepared++
		}
		return done == 0
	})
	if ticks := first * 25_000; ticks > 10 || prepared != 200_000/patience {
		t.Errorf("asked %d times before all clients send a request in the first ticks, and then after %v of them", prepared, ticks)
	}
	asked = 0
	outage(t, "clients=10").Run(fixed, 1, func(done float64) bool {
		if asked++; math.Abs(done-float64(asked)/1200) > 1e-12 {
			t.Errorf("progress %v at question %d of 1200", done, asked)
		}
		return true
	})
	if asked != 1200 {
		t.Errorf("asked %d times in 120 s", asked)
	}
}

// The memory that a run takes is known beforehand.
func TestOutageMemory(t *testing.T) {
	for _, test := range []struct {
		text       string
		perMachine int
	}{{"clients=1000", 1}, {"clients=300000", 0}, {"clients=300000", 1}, {"clients=300000,duration=6h", 10}} {
		o := outage(t, "%s", test.text)
		if test.perMachine > 0 {
			o.Budget = Shared{policy.StandardBudget(), test.perMachine}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		newOutageRun(o, fromHundred)
		runtime.ReadMemStats(&after)
		if took := float64(after.TotalAlloc - before.TotalAlloc); math.Abs(took/float64(o.Memory())-1) > 0.05 {
			t.Errorf("%+v: takes %.0f bytes, %d expected", test, took, o.Memory())
		}
	}
}

// The peak is the first time with the greatest number of pending requests: for a single client, the tick after its first request.
func TestOutagePeak(t *testing.T) {
	var s stream
	s.start(1, 0, 1)
	o := outage(t, "clients=1,outage=0@20s")
	first := (exponential(rand.New(&s), o.Think)/tick + 1) * tick
	if r := o.Run(fixed, 1, nil); r.Peak != 1 || r.PeakAt != first {
		t.Errorf("%d at %v, not 1 at %v", r.Peak, r.PeakAt, first)
	}
}

func TestOutageSeeds(t *testing.T) {
	o := outage(t, "clients=200")
	one, again, two := o.Run(fromHundred, 1, nil), o.Run(fromHundred, 1, nil), o.Run(fromHundred, 2, nil)
	if !slices.Equal(one.Samples, again.Samples) || one.Peak != again.Peak || one.PeakAt != again.PeakAt {
		t.Error("the same seed gives another run")
	}
	if slices.Equal(one.Samples, two.Samples) {
		t.Error("another seed gives the same run")
	}
}

func TestMostTurnsAnswerRound(t *testing.T) {
	for _, text := range []string{"", "limit=0", "growth=2,step=1", "growth=1000", "delay=1ms", "delay=50ms,growth=2",
		"delay=51ms", "growth=1.000001,step=7", "growth=1.000001,step=100000"} {
		o := outage(t, "%s", text)
		for age := Every; age < time.Minute; age += Every {
			most := o.most(age)
			if most >= 0 && o.Answer(most) > age || o.Answer(most+1) <= age {
				t.Errorf("%s: %d may be in hand at the age of %v, but the answers are at %v and %v", text, most, age,
					o.Answer(most), o.Answer(most+1))
			}
		}
	}
}

func TestAnswer(t *testing.T) {
	o := outage(t, "")
	for inHand, want := range map[int64]time.Duration{0: 100 * ms, 30: 100 * ms, 45: 105 * ms,
		60: 110250 * time.Microsecond, 1 << 40: forever} {
		if got := o.Answer(inHand); got != want {
			t.Errorf("%d in hand: %v, not %v", inHand, got, want)
		}
	}
}

func TestRecovered(t *testing.T) {
	tests := []struct {
		name    string
		resumed time.Duration
		ok      []int64       // from 2 s on
		want    time.Duration // 0 for never
	}{
		{"at once", 1500 * ms, []int64{10, 10, 10, 10, 10, 10}, 2 * time.Second},
		{"at once, on the second", 2 * time.Second, []int64{10, 10, 10, 10, 10}, 2 * time.Second},
		{"at once, just after the second", 2*time.Second + 1, []int64{10, 10, 10, 10, 10, 10}, 3 * time.Second},
		{"after a while", 1500 * ms, []int64{0, 0, 0, 10, 9, 9, 9, 9, 10}, 5 * time.Second},
		{"nine tenths", 1500 * ms, []int64{9, 9, 9, 9, 9}, 2 * time.Second},
		{"on average over the rest only", 1500 * ms, []int64{2, 0, 0, 0, 0, 30, 30, 30, 30, 30}, 4 * time.Second},
		{"on average over five seconds only", 1500 * ms, []int64{20, 60, 0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{"a burst that is all", 1500 * ms, []int64{60, 0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{"too little", 1500 * ms, []int64{8, 8, 8, 8, 8, 8, 8, 8}, 0},
		{"too late to tell", 1500 * ms, []int64{0, 0, 0, 10, 10, 10, 10}, 0},
		{"nothing", 1500 * ms, nil, 0},
	}
	for _, test := range tests {
		r := OutageResult{Normal: 10, Resumed: test.resumed, Samples: make([]OutageSample, 2)}
		for _, ok := range test.ok {
			r.Samples = append(r.Samples, OutageSample{OK: ok})
		}
		if at, ok := r.Recovered(); at != test.want || ok != (test.want > 0) {
			t.Errorf("%s: %v %v, not %v", test.name, at, ok, test.want)
		}
	}
	if _, ok := (OutageResult{Samples: make([]OutageSample, 9)}).Recovered(); ok {
		t.Error("recovered to nothing")
	}
}

func TestTotal(t *testing.T) {
	r := OutageResult{Samples: []OutageSample{{9, 1, 2, 3, 4}, {9, 10, 20, 30, 40}}}
	if got, want := r.Total(), (OutageSample{0, 11, 22, 33, 44}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}
