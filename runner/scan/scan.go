// Package scan finds out whether a regular expression matches anywhere in a stream that comes in blocks, without
// keeping the stream. It agrees with package regexp on which text matches, but doesn't say where.
//
// Two things make it fast. Most expressions require a literal text, and text without it can't match; a search for the
// literal's rarest byte skips such text at the speed of memory. The rest is decided by an automaton that is built as
// the input requires, at one table look-up per byte. If matches begin with the literal, the automaton starts there and
// stops as soon as no match is in progress; otherwise it reads the lines that contain the literal.
package scan

import (
	"bytes"
	"regexp/syntax"
)

// A Matcher looks for one expression in one stream after another.
//
// The expression is matched against each line without its line ending, as grep does; the last line need not have one. A
// line ends with a newline, a carriage return, or the two together. An expression that can match a newline is matched
// against the whole stream as one text. ^ and $ match at the beginning and end of each line if the expression was
// parsed without [syntax.OneLine].
type Matcher struct {
	automaton *automaton
	finders   []finder // for literals, one of which is in every match; none if nothing is known
	leading   bool     // matches begin with one of the literals
	longest   int      // how many bytes a literal can have
	dense     int      // how many more bytes to read without a search, because literals were everywhere
	whole     bool     // the stream is one text
	state     state    // in the current line, or in the stream
	within    bool     // the current line has begun
	matched   bool

	// What scanning has cost: how many bytes the automaton has read, and how many times it was started at a literal.
	stepped, started int
}

// Room returns how many bytes each automaton may take, so that a number of them stays within a total of 64 MiB.
func Room(automata int) int { return min(4<<20, 64<<20/automata) }

// New returns a matcher, ready for its first stream. Its automaton takes about room bytes at most: when it needs more,
// it is discarded and built anew.
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

// matchesNewline reports whether a match can contain a newline.
func matchesNewline(program *syntax.Prog) bool {
	for i := range program.Inst {
		if consumes(program.Inst[i].Op) && program.Inst[i].MatchRune('\n') {
			return true
		}
	}
	return false
}

// Reset starts a new stream.
func (m *Matcher) Reset() {
	m.state, m.within, m.matched = m.automaton.start(), m.whole, false
}

// Matched reports whether a match has been found.
func (m *Matcher) Matched() bool { return m.matched }

const (
	// retryAfter is how many times the block's length passes before literals that were everywhere are searched for again.
	retryAfter = 32
	// startCost is how many bytes the automaton reads in the time that it takes to find a literal and start there.
	startCost = 32
)

// Scan reads the next block of the stream.
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

// End ends the stream.
func (m *Matcher) End() {
	if m.within && !m.matched {
		m.matched = m.automaton.end(m.state)
	}
	m.within = false
}

// feed runs the automaton over the block, down to floor, and returns how many bytes it has read.
func (m *Matcher) feed(block []byte, floor state) (n int) {
	m.state, n, m.matched = m.automaton.run(m.state, block, floor)
	m.stepped += n
	return n
}

// search runs the automaton only where there are literals, until they turn out to be everywhere: then the automaton
// alone is faster.
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

// leap starts the automaton at each literal, and goes on to the next one once no match is in progress. The end of the
// block may cut off a literal, so the automaton always reads the last bytes.
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

// lines runs the automaton over the lines that contain a literal, and over those that are not entirely in the block.
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

// next returns where any literal occurs next in the block, at from or later, or the block's length if none does.
func (m *Matcher) next(block []byte, from int) int {
	next := len(block)
	for i := range m.finders {
		next = min(next, m.finders[i].next(block, from))
	}
	return next
}
