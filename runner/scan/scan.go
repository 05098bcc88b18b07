// Package scan finds whether a regular expression matches anywhere in a stream that comes in blocks, without keeping
// the stream. It agrees with package regexp on which text matches, and knows nothing else about a match.
//
// Two things make it fast. Most expressions require a literal text, and where a block does not have it no line of the
// block can match; bytes.Index finds that out at the speed of memory. What remains is decided by an automaton that is
// built as the input asks for it, at one table look-up a byte.
package scan

import (
	"bytes"
	"regexp/syntax"
)

// Matcher looks for one expression in one stream after another.
//
// An expression is tried on each line by itself, without its newline, as grep does; the last line need not have one.
// An expression that can match a newline is tried on the whole stream as one text. ^ and $ match at the ends of lines.
type Matcher struct {
	automaton *automaton
	literals  [][]byte // every matching line has one of these; none where nothing is known
	dense     int      // how many blocks more not to search for them, because they were everywhere
	whole     bool     // the stream is one text
	state     state    // of the current line, or of the stream
	within    bool     // the current line has begun
	matched   bool
}

// New makes a matcher, ready for its first stream.
func New(expression *syntax.Regexp) (*Matcher, error) {
	tree := expression.Simplify()
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, err
	}
	m := &Matcher{whole: matchesNewline(program)}
	m.automaton = newAutomaton(program, !m.whole)
	if !m.whole {
		m.literals = required(tree)
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

// Scan takes the next block of the stream.
func (m *Matcher) Scan(block []byte) {
	if m.matched || len(block) == 0 {
		return
	}
	if len(m.literals) == 0 || m.dense > 0 {
		m.dense = max(0, m.dense-1)
		m.feed(block)
		return
	}
	if m.within {
		end := bytes.IndexByte(block, '\n') + 1
		if end == 0 {
			end = len(block)
		}
		m.feed(block[:end])
		block = block[end:]
	}
	last := bytes.LastIndexByte(block, '\n') + 1
	m.search(block[:last])
	m.feed(block[last:])
}

// End says that the stream is over.
func (m *Matcher) End() {
	if m.within && !m.matched {
		m.matched = m.automaton.end(m.state)
	}
	m.within = false
}

// feed runs the automaton over the block.
func (m *Matcher) feed(block []byte) {
	if m.matched || len(block) == 0 {
		return
	}
	m.state, m.matched = m.automaton.run(m.state, block)
	m.within = m.whole || block[len(block)-1] != '\n'
}

// denseBlocks is how many blocks go by before literals that were everywhere are tried again.
const denseBlocks = 32

// search runs the automaton over those of the lines that have a literal. Every line is whole. Where that is a good part
// of them, the automaton alone is faster.
func (m *Matcher) search(lines []byte) {
	fed := 0
	for _, literal := range m.literals {
		for rest := lines; !m.matched; {
			i := bytes.Index(rest, literal)
			if i < 0 {
				break
			}
			begin := bytes.LastIndexByte(rest[:i], '\n') + 1
			end := i + bytes.IndexByte(rest[i:], '\n') + 1
			m.feed(rest[begin:end])
			fed += end - begin
			rest = rest[end:]
		}
	}
	if fed > len(lines)/8 {
		m.dense = denseBlocks
	}
}
