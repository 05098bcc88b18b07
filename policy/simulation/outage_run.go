package simulation

import (
	"time"

	"retry/policy"
)

// An outageRun is an [Outage] being simulated, tick by tick.
type outageRun struct {
	Outage
	*server
	*crowd
	machines
	wait   int // the timeout in whole ticks
	result OutageResult
	sample OutageSample
	began  int64         // pending requests at the beginning of the second
	ends   time.Duration // the end of the second
	area   time.Duration // what arrivals and departures since then add to the sum of pending times
}

// Run simulates a schedule.
func (o Outage) Run(schedule policy.Schedule, seed uint64, progress Progress) OutageResult {
	r := newOutageRun(o, schedule)
	if !r.begin(seed, progress) {
		return r.finish(false)
	}
	return r.follow(progress)
}

func newOutageRun(o Outage, schedule policy.Schedule) *outageRun {
	ticks := int(o.Duration / tick)
	r := &outageRun{
		Outage: o, server: newServer(o, ticks), crowd: newCrowd(o.Clients, ticks, schedule),
		machines: newMachines(o.Budget, o.Clients),
	}
	r.wait, r.ends = int(o.Timeout/tick), time.Second
	return r
}

// begin lets every client think. It reports whether progress said to go on.
func (r *outageRun) begin(seed uint64, progress Progress) bool {
	for id := 1; id <= r.Clients; id++ {
		r.enter(int32(id), seed)
		r.think(int32(id), 0, r.Think)
		if id%patience == 0 && !progress.goOn(0) {
			return false
		}
	}
	return true
}

// follow simulates one tick after the other, and asks whether to go on every 100 ticks, or after patience requests.
func (r *outageRun) follow(progress Progress) OutageResult {
	ticks, sent := len(r.wake), 0
	for now := range ticks {
		sent += r.step(now)
		if (now+1)%1000 == 0 {
			r.closeSecond()
		}
		if (now+1)%100 == 0 || sent >= patience {
			sent = 0
			if !progress.goOn(float64(now+1) / float64(ticks)) {
				return r.finish(now == ticks-1)
			}
		}
	}
	return r.finish(true)
}

// step simulates one tick: first the server's answers, then what the clients do until the next tick. It returns how many
// requests they send.
func (r *outageRun) step(now int) (sent int) {
	if !r.stands(now) {
		r.serve(now)
	}
	r.expire(now)
	awake := r.call(&r.wake[now])
	for _, id := range awake {
		r.send(id, now)
	}
	if r.inHand > r.result.Peak {
		r.result.Peak, r.result.PeakAt = r.inHand, time.Duration(now+1)*tick
	}
	return len(awake)
}

// serve sends the answers that are due at a tick.
func (r *outageRun) serve(now int) {
	before := r.inHand
	for taken, ok := r.answer(now); ok; taken, ok = r.answer(now) {
		r.answered(taken, now)
	}
	r.area -= time.Duration(before-r.inHand) * (r.ends - time.Duration(now)*tick)
}

// send lets a client send a request and wait.
func (r *outageRun) send(id int32, now int) {
	if r.clients[id].failing {
		r.sample.Retries++
	}
	r.receive(now)
	r.area += r.ends - r.clients[id].at
	r.join(&r.waiting[now], id)
}

// answered gives an answer to the clients whose requests were accepted at a tick and who still wait.
func (r *outageRun) answered(taken, now int) {
	from, to := r.sent(taken)
	at := time.Duration(now) * tick
	for sent := from; sent < to; sent++ {
		for _, id := range r.call(&r.waiting[sent]) {
			r.sample.OK++
			r.succeeded(id, at)
			r.think(id, at, r.Think)
		}
	}
}

// expire lets clients whose timeout passes before the next tick give up. They sent their requests during one tick, or during
// two where the timeout is not a whole number of ticks.
func (r *outageRun) expire(now int) {
	for sent := max(0, now-r.wait-1); sent <= now-r.wait; sent++ {
		r.expireSent(sent, now)
	}
}

// expireSent does so for the clients that sent their request during a tick.
func (r *outageRun) expireSent(sent, now int) {
	next := time.Duration(now+1) * tick
	failing := r.call(&r.waiting[sent])
	if r.buckets != nil { // otherwise the order doesn't matter
		r.queue(failing)
	}
	for _, id := range failing {
		end := r.clients[id].at + r.Timeout
		if end >= next {
			r.join(&r.waiting[sent], id)
			continue
		}
		r.sample.Timeouts++
		if r.Abandon {
			r.drop(sent)
			r.area -= r.ends - end
		}
		if !r.allow(id, end) {
			r.sample.GivenUp++
			r.think(id, end, r.Think)
			continue
		}
		r.fail(id, end)
	}
}

func (r *outageRun) closeSecond() {
	area := time.Duration(r.began)*time.Second + r.area
	r.sample.InHand = int64(area.Round(time.Second) / time.Second)
	r.result.Samples = append(r.result.Samples, r.sample)
	r.sample, r.began, r.area = OutageSample{}, r.inHand, 0
	r.ends += time.Second
}

func (r *outageRun) finish(complete bool) OutageResult {
	result := r.result
	result.Complete = complete
	// The first second is left out, because nothing is answered at its beginning.
	if to := int(r.Start / time.Second); len(result.Samples) >= to {
		result.Normal = result.successes(1, to) / float64(to-1)
	}
	result.Resumed = r.Start + r.Length
	return result
}
