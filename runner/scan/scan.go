// Package scan finds whether a regular expression matches anywhere in a stream that comes in blocks, without keeping
// the stream. It agrees with package regexp on which text matches, and knows nothing else about a match.
//
// Two things make it fast. Most expressions require a literal text, and what does not have it can't match; looking for
// the literal's rarest byte finds that out at the speed of memory. What remains is decided by an automaton that is built
// as the input asks for it, at one table look-up a byte. Where matches begin with the literal, the automaton starts
// there, and stops as soon as no match can come of it; where it is elsewhere in them, the automaton reads the line.
package scan

import (
	"bytes"
	"regexp/syntax"
)

// Matcher looks for one expression in one stream after another.
//
// An expression is tried on each line by itself, without its newline, as grep does; the last line need not have one. A
// carriage return ends a line too, and so do the two together. An expression that can match a newline is tried on the
// whole stream as one text. ^ and $ match at the ends of lines.
type Matcher struct {
	automaton *automaton
	finders   []finder // for literals of which every match has one; none where nothing is known
	leading   bool     // matches begin with it
	longest   int      // how many bytes the longest of the literals can have
	dense     int      // how many bytes more not to search for them, because they were everywhere
	whole     bool     // the stream is one text
	state     state    // of the current line, or of the stream
	within    bool     // the current line has begun
	matched   bool

	// What scanning cost: how many bytes the automaton has read, and how many times it was started on a literal.
	stepped, started int
}

// Room is how many bytes each of a number of automata may take, so that all together are bounded.
func Room(automata int) int { return min(4<<20, 64<<20/automata) }

// New makes a matcher, ready for its first stream. Its automaton takes up to room bytes. Where it needs more, it is
// forgotten and built anew, again and again.
func New(expression *syntax.Regexp, room int) (*Matcher, error) {
	tree := expression.Simplify()
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, err
	}
	m := &Matcher{whole: matchesNewline(program)}
	m.automaton = newAutomaton(program, !m.whole, room)
	if need := required(tree); need.leading || !m.whole {
		m.leading = need.leading
		for _, literal := range need.literals {
			m.finders = append(m.finders, finder{literal: literal})
			m.longest = max(m.longest, literal.mostBytes())
		}
	}
	m.Reset()
	return m, nil
}

// matchesNewline reports whether some part of a match can be a newline.
func matchesNewline(program *syntax.Prog) bool {
	for i := range program.Inst {
		if consumes(program.Inst[i].Op) && program.Inst[i].MatchRune('\n') {
			return true
		}
	}
	return false
}

// Reset forgets the stream and starts another.
func (m *Matcher) Reset() {
	m.state, m.within, m.matched = m.automaton.start(), m.whole, false
}

// Matched reports whether a match has been found.
func (m *Matcher) Matched() bool { return m.matched }

const (
	// retryAfter is how many times as many bytes go by before literals that were everywhere are tried again.
	retryAfter = 32
	// startCost is how many bytes the automaton reads in the time that it takes to find a literal and start there.
	startCost = 32
)

// Scan takes the next block of the stream.
func (m *Matcher) Scan(block []byte) {
	if m.matched || len(block) == 0 {
		return
	}
	if len(m.finders) == 0 || m.dense > 0 {
		m.dense = max(0, m.dense-len(block))
		m.feed(block, none)
	} else {
		m.search(block)
	}
	m.within = m.whole || block[len(block)-1] != '\n'
}

// End says that the stream is over.
func (m *Matcher) End() {
	if m.within && !m.matched {
		m.matched = m.automaton.end(m.state)
	}
	m.within = false
}

// feed runs the automaton over the block, down to floor. It returns how many bytes that were.
func (m *Matcher) feed(block []byte, floor state) (n int) {
	m.state, n, m.matched = m.automaton.run(m.state, block, floor)
	m.stepped += n
	return n
}

// search runs the automaton where there are literals. Where they are everywhere, the automaton alone is faster.
func (m *Matcher) search(block []byte) {
	for i := range m.finders {
		m.finders[i].begin(block)
	}
	stepped, started := m.stepped, m.started
	if m.leading {
		m.leap(block)
	} else {
		m.lines(block)
	}
	if m.stepped-stepped+startCost*(m.started-started) > len(block) {
		m.dense = retryAfter * len(block)
	}
}

// leap starts the automaton at each literal, and goes to the next when no match has begun any more. A literal may be
// cut off by the end of the block, so that the automaton reads the last bytes in any case.
func (m *Matcher) leap(block []byte) {
	for at := 0; at < len(block) && !m.matched; {
		floor := m.automaton.mostIdle
		if m.state <= floor {
			next := m.next(block, at)
			if tail := max(at, len(block)-m.longest+1); next >= tail {
				next, floor = tail, none
			} else {
				m.started++
			}
			if next > at {
				at, m.state = next, m.automaton.idle[block[next-1]]
			}
		}
		at += m.feed(block[at:], floor)
	}
}

// lines runs the automaton over those lines that have a literal, and over those that the block does not have whole.
func (m *Matcher) lines(block []byte) {
	at, last := 0, bytes.LastIndexByte(block, '\n')+1
	if m.within {
		at = bytes.IndexByte(block, '\n') + 1
		if at == 0 {
			at = len(block)
		}
		m.feed(block[:at], none)
	}
	for at < last && !m.matched {
		next := m.next(block, at)
		if next >= last {
			break
		}
		begin := at + bytes.LastIndexByte(block[at:next], '\n') + 1
		at = next + bytes.IndexByte(block[next:], '\n') + 1
		m.started++
		m.feed(block[begin:at], none)
	}
	if !m.matched {
		m.feed(block[max(at, last):], none)
	}
}

// next is where in the block one of the literals is next, not before from; the block's length where there is none.
func (m *Matcher) next(block []byte, from int) int {
	next := len(block)
	for i := range m.finders {
		next = min(next, m.finders[i].next(block, from))
	}
	return next
}
