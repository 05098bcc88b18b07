package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// automaton is a deterministic automaton over bytes, built from the expression's program while it runs. It stops at
// the first match, wherever that begins and ends. See Russ Cox, 'Regular Expression Matching in the Wild', on building
// states lazily and on what can stand between two characters.
type automaton struct {
	classes
	byLine bool           // a newline or a carriage return ends the text and begins another
	asks   syntax.EmptyOp // which conditions between characters the program has

	// next[s+class[b]] is the state after byte b in state s. 0 is not known yet.
	next   []state
	known  map[string]state
	states []configuration // of state (i+1)·row
	room   int             // how many bytes the table and what it is made from may take
	taken  int             // how many they take

	// What making the table cost: how many times it was forgotten, and how many transitions were worked out.
	forgotten, worked int

	// idle[b] is the state after byte b where no match has begun. These states are always the first of the table, up to
	// mostIdle.
	idle     [256]state
	mostIdle state

	begun   []threads // what begins at a character of a class, for each that may precede it; see begin
	closure []uint32  // instructions found by follow
	mark    []uint32  // mark[i] == epoch: instruction i is in the closure
	epoch   uint32
	stack   []uint32
	key     []byte
}

// state is a row of the transition table: the index of its first entry. The first row is unused, so that 0 is none.
type state int32

const (
	none    state = 0
	success state = -1

	// beginning and returned are what precedes the first character of a text, and of one after a carriage return, to
	// whose line a newline belongs that follows at once.
	beginning, returned = -1, -2

	// overhead is about how many bytes a state takes beside its row, its threads and its key.
	overhead = 128
	// leastRoom is more than the idle states take.
	leastRoom = 16 << 10
)

// configuration is what a state stands for.
type configuration struct {
	threads []uint32 // where in the program matches that have begun go on, sorted
	before  rune     // what precedes: a character of each kind that the conditions tell apart; below 0 at the beginning
	pending []byte   // the first bytes of a character that is not complete, or of one like it
}

// threads are where matches go on, unless one has ended.
type threads struct {
	known   bool
	at      []uint32
	matched bool
}

func newAutomaton(program *syntax.Prog, byLine bool, room int) *automaton {
	a := &automaton{byLine: byLine, room: max(room, leastRoom), mark: make([]uint32, len(program.Inst))}
	for i := range program.Inst {
		if program.Inst[i].Op == syntax.InstEmptyWidth {
			a.asks |= syntax.EmptyOp(program.Inst[i].Arg)
		}
	}
	a.classes = classify(program, a.asks)
	a.known, a.begun = map[string]state{}, make([]threads, (1+len(kinds))*a.row)
	a.forget()
	return a
}

// forget empties the table.
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
		// A byte that is not ASCII ends a character that is no letter or newline to any condition.
		a.idle[b] = a.intern(configuration{before: a.kind(rune(b))})
	}
	a.mostIdle = state(len(a.next) - a.row)
}

// newLine is what the beginning of a line looks like after a byte that ends one.
func (a *automaton) newLine(b byte) (c configuration, ends bool) {
	switch {
	case b == '\n' && a.byLine:
		return configuration{before: beginning}, true
	case b == '\r' && a.byLine:
		return configuration{before: returned}, true
	}
	return c, false
}

// start is the state at the beginning of a text, which is the first that is made.
func (a *automaton) start() state { return state(a.row) }

// run goes through the block, of which it reads n bytes. It stops where a match is certain, and after a byte that leads
// to a state up to floor: none or mostIdle.
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

// end reports whether there is a match if the text ends here, which is what a newline does to a line.
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
		// Bytes that are no whole character are a character each, as everywhere in Go.
		var matched bool
		if c, matched = a.advance(c, utf8.RuneError, c.pending[1:]); matched {
			return true
		}
	}
	holds := syntax.EmptyOpContext(c.before, -1)
	return a.follow(c.threads, holds) || a.follow([]uint32{uint32(a.program.Start)}, holds)
}

func (a *automaton) configuration(s state) configuration { return a.states[int(s)/a.row-1] }

// step finds the state after byte b, and remembers it.
func (a *automaton) step(s state, b byte) state {
	a.worked++
	table, to := a.forgotten, success
	if c, matched := a.read(s, b); !matched {
		to = a.intern(c)
	}
	if a.forgotten == table { // or s is gone, to make room for the new state
		a.next[int(s)+int(a.class[b])] = to
	}
	return to
}

// read is what follows on state s after byte b. matched is true if a match is certain.
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

// intern finds or makes the state of a configuration. Where there is no room for it, all others are forgotten first.
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

// advance reads one character. matched is true if a match ended before it.
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

// begin is what comes of the matches that begin before r. With many alternatives this would be most of the work, and the
// same again and again.
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

// consume is where the instructions in the closure go on after r, each once, which are marked.
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

// kinds are the characters that stand for all others.
const kinds = "\n a"

// kind is the character that stands for r as far as the conditions after it can tell.
func (a *automaton) kind(r rune) rune {
	const conditions = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
	switch {
	case r == '\n' && a.asks&syntax.EmptyBeginLine != 0:
		return '\n'
	case a.asks&conditions != 0 && syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// follow collects the instructions that read the next character, from the threads on, where the conditions in holds
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
