package stream

import "sync/atomic"

// A place is where retry's own lines go, as long as everything else that is written there comes by a relay.
type place struct{ midLine atomic.Bool }

// note takes what has been written to the place.
func (p *place) note(written []byte) {
	if p != nil && len(written) > 0 {
		p.midLine.Store(written[len(written)-1] != '\n')
	}
}

// placeRelays has the relays note what they write to standard error. If the command writes there by itself too, nobody
// knows where its last line ended.
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

// OnFreshLine returns a line to be written to standard error, with a line end before it if the command has left one there
// without its end.
func (s *Streams) OnFreshLine(line []byte) []byte {
	if s.place == nil || !s.place.midLine.Swap(false) {
		return line
	}
	return append([]byte{'\n'}, line...)
}
