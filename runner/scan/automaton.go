package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// automaton is a deterministic finite automaton over bytes, built lazily from the expression's program. It stops as
// soon as a match is certain, and doesn't tell where the match begins or ends. On lazy construction and on assertions
// such as \b, see Russ Cox, 'Regular Expression Matching in the Wild'.
type automaton struct {
	classes
	byLine     bool           // a text is a line, which a newline or a carriage return ends
	assertions syntax.EmptyOp // the zero-width assertions in the program

	// next[s+class[b]] is the state after byte b in state s, or none if it has not been computed yet.
	next   []state
	known  map[string]state
	states []configuration // states[i] is what state (i+1)·row stands for
	room   int             // how many bytes the table and its keys may take
	taken  int             // how many bytes they take

	// What building the table has cost: how many times it was discarded, and how many transitions were computed.
	forgotten, worked int

	// idle[b] is the state after byte b when no match is in progress. These states are always the first of the table;
	// mostIdle is the last of them.
	idle     [256]state
	mostIdle state

	begun   []threads // the matches that begin at a character, by the kind before it and its class; see begin
	closure []uint32  // the instructions found by follow
	mark    []uint32  // mark[i] == epoch: follow or consume has met instruction i
	epoch   uint32
	stack   []uint32
	key     []byte
}

// state is a row of the transition table: the index of its first entry. The first row is unused, so that 0 can stand
// for none.
type state int32

const (
	none    state = 0
	success state = -1

	// beginning and returned stand for what precedes the first character of a text. returned is for a text after a
	// carriage return: if it begins with a newline, that belongs to the line end before it.
	beginning, returned = -1, -2

	// overhead is roughly how many bytes a state takes besides its row, its threads and its key.
	overhead = 128
	// leastRoom is more than the idle states take.
	leastRoom = 16 << 10
)

// configuration is what a state stands for.
type configuration struct {
	threads []uint32 // the instructions with which the matches in progress continue, sorted
	before  rune     // the kind of the character before; negative at the beginning
	pending []byte   // the first bytes of an incomplete character, or of one that is treated alike
}

// threads are the instructions with which matches continue, unless one has ended.
type threads struct {
	known   bool
	at      []uint32
	matched bool
}

func newAutomaton(program *syntax.Prog, byLine bool, room int) *automaton {
	a := &automaton{byLine: byLine, room: max(room, leastRoom), mark: make([]uint32, len(program.Inst))}
	for i := range program.Inst {
		if program.Inst[i].Op == syntax.InstEmptyWidth {
			a.assertions |= syntax.EmptyOp(program.Inst[i].Arg)
		}
	}
	a.classes = classify(program, a.assertions)
	a.known, a.begun = map[string]state{}, make([]threads, (1+len(kinds))*a.row)
	a.forget()
	return a
}

// forget discards the table and makes a new one with the idle states.
func (a *automaton) forget() {
	clear(a.known)
	clear(a.states)
	a.next, a.states, a.taken = append(a.next[:0], make([]state, a.row)...), a.states[:0], 0
	a.intern(configuration{before: beginning})
	for b := range a.idle {
		if c, ends := a.newLine(byte(b)); ends {
			a.idle[b] = a.intern(c)
			continue
		}
		// A byte outside ASCII ends a character that no assertion takes for a word character or a newline.
		a.idle[b] = a.intern(configuration{before: a.kind(rune(b))})
	}
	a.mostIdle = state(len(a.next) - a.row)
}

// newLine returns the configuration at the beginning of a line. ends reports whether b ends the line before.
func (a *automaton) newLine(b byte) (c configuration, ends bool) {
	switch {
	case b == '\n' && a.byLine:
		return configuration{before: beginning}, true
	case b == '\r' && a.byLine:
		return configuration{before: returned}, true
	}
	return c, false
}

// start returns the state at the beginning of a text, which is the first one made.
func (a *automaton) start() state { return state(a.row) }

// run reads the block in state s, and returns the next state and the number of bytes read. It stops where a match is
// certain, and after a byte that leads to a state up to floor, which is none or mostIdle.
func (a *automaton) run(s state, block []byte, floor state) (to state, n int, matched bool) {
	next, class := a.next, &a.class
	for i, b := range block {
		to := next[int(s)+int(class[b])]
		if to <= floor {
			if to == none {
				to = a.step(s, b)
				next = a.next
			}
			if to == success {
				return s, i + 1, true
			}
			if to <= floor {
				return to, i + 1, false
			}
		}
		s = to
	}
	return s, len(block), false
}

// end reports whether there is a match if the text ends here. If texts are lines, the transition for a newline tells.
func (a *automaton) end(s state) bool {
	if !a.byLine {
		return a.ends(a.configuration(s))
	}
	to := a.next[int(s)+int(a.class['\n'])]
	if to == none {
		to = a.step(s, '\n')
	}
	return to == success
}

// ends reports whether there is a match if the text ends after c.
func (a *automaton) ends(c configuration) bool {
	for len(c.pending) > 0 {
		// Each byte of an incomplete character counts as a character, as everywhere in Go.
		var matched bool
		if c, matched = a.advance(c, utf8.RuneError, c.pending[1:]); matched {
			return true
		}
	}
	holds := syntax.EmptyOpContext(c.before, -1)
	return a.follow(c.threads, holds) || a.follow([]uint32{uint32(a.program.Start)}, holds)
}

func (a *automaton) configuration(s state) configuration { return a.states[int(s)/a.row-1] }

// step computes the state after byte b and enters it in the table.
func (a *automaton) step(s state, b byte) state {
	a.worked++
	table, to := a.forgotten, success
	if c, matched := a.read(s, b); !matched {
		to = a.intern(c)
	}
	if a.forgotten == table { // otherwise s was discarded to make room for the new state
		a.next[int(s)+int(a.class[b])] = to
	}
	return to
}

// read returns the configuration after byte b in state s. matched reports whether a match is certain.
func (a *automaton) read(s state, b byte) (c configuration, matched bool) {
	c = a.configuration(s)
	if next, ends := a.newLine(b); ends {
		return next, (c.before != returned || b != '\n') && a.ends(c)
	}
	if c.before == returned {
		c.before = beginning
	}
	if a.ascii && b >= utf8.RuneSelf {
		return a.advance(c, utf8.RuneError, nil)
	}
	c.pending = append(slices.Clone(c.pending), b)
	for len(c.pending) > 0 && utf8.FullRune(c.pending) {
		r, size := utf8.DecodeRune(c.pending)
		if c, matched = a.advance(c, r, c.pending[size:]); matched {
			return c, true
		}
	}
	c.pending = a.alike(c.pending)
	return c, false
}

// intern returns the state of a configuration, and makes it if necessary. If there is no room, it discards all others first.
func (a *automaton) intern(c configuration) state {
	key := binary.LittleEndian.AppendUint32(a.key[:0], uint32(c.before))
	key = append(append(key, byte(len(c.pending))), c.pending...)
	for _, thread := range c.threads {
		key = binary.LittleEndian.AppendUint32(key, thread)
	}
	a.key = key
	s, found := a.known[string(key)]
	if !found {
		if a.taken > a.room {
			a.forgotten++
			a.forget()
			return a.intern(c)
		}
		a.taken += 4*a.row + 2*len(key) + overhead
		s = state(len(a.next))
		a.next = append(a.next, make([]state, a.row)...)
		a.states = append(a.states, c)
		a.known[string(key)] = s
	}
	return s
}

// advance reads one character. matched reports whether a match ended before it.
func (a *automaton) advance(c configuration, r rune, pending []byte) (to configuration, matched bool) {
	begun := a.begin(c.before, r)
	if begun.matched || a.follow(c.threads, syntax.EmptyOpContext(c.before, r)) {
		return to, true
	}
	to.threads = a.consume(r)
	for _, i := range begun.at {
		if a.mark[i] != a.epoch {
			to.threads = append(to.threads, i)
		}
	}
	slices.Sort(to.threads)
	to.before, to.pending = a.kind(r), pending
	return to, false
}

// begin returns what becomes of the matches that begin before r. With many alternatives this is most of the work and
// always the same, so it is remembered.
func (a *automaton) begin(before, r rune) threads {
	if r >= utf8.RuneSelf && !a.ascii {
		return a.starting(before, r)
	}
	begun := &a.begun[(strings.IndexByte(kinds, byte(before))+1)*a.row+int(a.class[min(r, utf8.RuneSelf)])]
	if !begun.known {
		*begun = a.starting(before, r)
	}
	return *begun
}

func (a *automaton) starting(before, r rune) (begun threads) {
	begun.known = true
	begun.matched = a.follow([]uint32{uint32(a.program.Start)}, syntax.EmptyOpContext(before, r))
	if !begun.matched {
		begun.at = a.consume(r)
	}
	return begun
}

// consume returns the instructions that follow those in the closure after r, each once, and marks them.
func (a *automaton) consume(r rune) (to []uint32) {
	a.epoch++
	for _, i := range a.closure {
		inst := &a.program.Inst[i]
		if a.mark[inst.Out] != a.epoch && inst.MatchRune(r) {
			a.mark[inst.Out] = a.epoch
			to = append(to, inst.Out)
		}
	}
	return to
}

// kinds are the kinds of characters that assertions distinguish: newlines, others, and word characters. One character
// stands for each.
const kinds = "\n a"

// kind returns the character of kinds that stands for r, as far as the program's assertions can tell.
func (a *automaton) kind(r rune) rune {
	const boundaries = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
	switch {
	case r == '\n' && a.assertions&syntax.EmptyBeginLine != 0:
		return '\n'
	case a.assertions&boundaries != 0 && syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// follow collects the instructions that read the next character, starting from threads, where the assertions in holds
// hold. It reports whether a match ends here.
func (a *automaton) follow(threads []uint32, holds syntax.EmptyOp) (matched bool) {
	a.epoch++
	a.closure = a.closure[:0]
	a.stack = append(a.stack[:0], threads...)
	for len(a.stack) > 0 {
		i := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.mark[i] == a.epoch {
			continue
		}
		a.mark[i] = a.epoch
		switch inst := &a.program.Inst[i]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				a.stack = append(a.stack, inst.Out)
			}
		case syntax.InstFail:
		default:
			a.closure = append(a.closure, i)
		}
	}
	return false
}
