package stream

import "sync/atomic"

// A place keeps track of whether the last line on standard error is incomplete. There is one only if everything that
// the command writes there passes through a relay.
type place struct{ midLine atomic.Bool }

// note records what has been written. It does nothing if p is nil.
func (p *place) note(written []byte) {
	if p != nil && len(written) > 0 {
		p.midLine.Store(written[len(written)-1] != '\n')
	}
}

// placeRelays makes the relays record what they write to standard error. If the command also writes there directly,
// there is no place, because nobody knows whether its last line is complete.
func (s *Streams) placeRelays() {
	if s.output[1] == nil {
		return
	}
	same := sameFile(1, 2)
	if same && s.output[0] == nil {
		return
	}
	s.place = &place{}
	s.output[1].place = s.place
	if same {
		s.output[0].place = s.place
	}
}

// OnFreshLine returns a line to be written to standard error, with a newline before it if the command's last line there
// is incomplete.
func (s *Streams) OnFreshLine(line []byte) []byte {
	if s.place == nil || !s.place.midLine.Swap(false) {
		return line
	}
	return append([]byte{'\n'}, line...)
}
