package simulation

import "time"

// A server counts pending requests. The requests accepted at one tick have the same age and are answered together, so it
// needs one counter per tick, whether their clients still wait or not.
//
// Since the server checks a request every 50 ms, at a tick it checks those that were accepted a multiple of 50 ms before,
// the oldest first. If the oldest are not answered yet, neither are the younger ones.
type server struct {
	inHand int64       // all pending requests
	taken  []int64     // by the tick at which they are accepted
	oldest [period]int // by tick modulo 50: the first tick whose requests may be pending
	most   []int64     // by age in checks: see [Outage.most]
	stop   int         // the tick at which the server stops
	resume int         // the tick at which it goes on
}

// period is the number of ticks between two checks.
const period = int(Every / tick)

func newServer(o Outage, ticks int) *server {
	s := &server{
		taken:  make([]int64, ticks+1),
		most:   make([]int64, ticks/period+1),
		stop:   int(o.Start / tick),
		resume: int((o.Start + o.Length) / tick),
	}
	for phase := range s.oldest {
		s.oldest[phase] = phase
	}
	for looks := range s.most {
		s.most[looks] = o.most(time.Duration(looks) * Every)
	}
	return s
}

func (s *server) stands(now int) bool { return now >= s.stop && now < s.resume }

// takesUp returns the tick at which a request that is sent during a tick is accepted.
func (s *server) takesUp(sent int) int {
	if s.stands(sent) {
		return s.resume
	}
	return sent + 1
}

func (s *server) receive(sent int) {
	s.taken[s.takesUp(sent)]++
	s.inHand++
}

func (s *server) drop(sent int) {
	s.taken[s.takesUp(sent)]--
	s.inHand--
}

// answer removes requests that are answered at a tick, and returns the tick at which they were accepted. Call it until it finds
// none.
func (s *server) answer(now int) (taken int, ok bool) {
	oldest := &s.oldest[now%period]
	for *oldest <= now-period {
		if n := s.taken[*oldest]; n > 0 {
			if s.inHand > s.most[(now-*oldest)/period] {
				return 0, false
			}
			s.inHand -= n
			s.taken[*oldest] = 0
			return *oldest, true
		}
		*oldest += period
	}
	return 0, false
}

// sent returns the ticks [from, to) during which the requests accepted at a tick were sent.
func (s *server) sent(taken int) (from, to int) {
	if taken == s.resume && s.resume > s.stop {
		return s.stop, taken
	}
	return taken - 1, taken
}
