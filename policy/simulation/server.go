package simulation

import "time"

// A server has requests in hand. It knows them only by number: those taken up at one tick have always the same age, so
// they are answered together, and one counter a tick is all it takes, whether a client still waits or not.
//
// The server looks at a request every 50 ms, so at a tick it looks at those that were taken up a multiple of 50 ms
// before. The older ones come first; if the oldest are not to be answered yet, the younger ones aren't either.
type server struct {
	inHand int64
	taken  []int64     // by the tick they are taken up
	oldest [period]int // by tick modulo 50: no older ones are in hand
	most   []int64     // by age in looks: how many may be in hand for an answer
	stop   int         // the tick from which the server stands still
	resume int         // the tick at which it goes on
}

// period is the number of ticks between two looks.
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

// takesUp is the tick at which a request sent during a tick is taken up.
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

// answer removes the requests that are answered at a tick, those taken up together, and returns when that was. It is to
// be called until there are no more.
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

// sent is the ticks [from, to) during which the requests were sent that were taken up at a tick.
func (s *server) sent(taken int) (from, to int) {
	if taken == s.resume && s.resume > s.stop {
		return s.stop, taken
	}
	return taken - 1, taken
}
