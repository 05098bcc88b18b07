package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton is a deterministic automaton over bytes, built from the expression's program while it runs. It stops at
// the first match, wherever that begins and ends. See Russ Cox, 'Regular Expression Matching in the Wild', on building
// states lazily and on what can stand between two characters.
type automaton struct {
	program *syntax.Prog
	byLine  bool           // a newline ends the text and begins another
	asks    syntax.EmptyOp // which conditions between characters the program has
	ascii   bool           // every other character ends whatever has begun, so that its bytes need not be put together

	// class numbers the kinds of bytes that the expression tells apart. ASCII, which is most of what there is, comes
	// first, so that the part of the table in use is small. row is how many there are.
	class [256]uint8
	row   int

	// next[s+class[b]] is the state after byte b in state s. 0 is not known yet.
	next   []state
	known  map[string]state
	states []configuration // of state (i+1)·row

	generation int // of the table

	// idle[b] is the state after byte b where no match has begun. These states are always the first of the table, up to
	// mostIdle.
	idle     [256]state
	mostIdle state

	closure []uint32 // instructions found by follow
	mark    []uint32 // mark[i] == epoch: instruction i is in the closure
	epoch   uint32
	stack   []uint32
}

// state is a row of the transition table: the index of its first entry. The first row is unused, so that 0 is none.
type state int32

const (
	none    state = 0
	success state = -1

	// mostStates bounds the table to half a MiB. Beyond that it is forgotten and built anew from the current state.
	mostStates = 1024
)

// configuration is what a state stands for.
type configuration struct {
	threads []uint32 // where in the program matches that have begun go on, sorted
	before  rune     // what precedes: a character of each kind that the conditions tell apart; -1 at the beginning
	pending []byte   // the first bytes of a character that is not complete
}

func newAutomaton(program *syntax.Prog, byLine bool) *automaton {
	a := &automaton{program: program, byLine: byLine, mark: make([]uint32, len(program.Inst))}
	for i := range program.Inst {
		if program.Inst[i].Op == syntax.InstEmptyWidth {
			a.asks |= syntax.EmptyOp(program.Inst[i].Arg)
		}
	}
	// Within a character \B would hold, and not at its ends.
	a.ascii = a.classify() && a.asks&syntax.EmptyNoWordBoundary == 0
	if a.ascii {
		for b := utf8.RuneSelf + 1; b < len(a.class); b++ {
			a.class[b] = a.class[utf8.RuneSelf]
		}
	}
	a.row = int(a.class[len(a.class)-1]) + 1
	a.forget()
	return a
}

// classify finds the classes of bytes. A class begins wherever a range of characters in the program begins or has
// ended; every byte that is not ASCII is one of its own, being a part of a character. ascii reports whether no other
// character can be part of a match.
func (a *automaton) classify() (ascii bool) {
	ascii = true
	var begins [utf8.RuneSelf + 1]bool
	bound := func(low, high rune) {
		ascii = ascii && high < utf8.RuneSelf
		if low < utf8.RuneSelf {
			begins[low], begins[min(high+1, utf8.RuneSelf)] = true, true
		}
	}
	bound('\n', '\n')
	if a.asks&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
		bound('0', '9')
		bound('A', 'Z')
		bound('_', '_')
		bound('a', 'z')
	}
	for i := range a.program.Inst {
		inst := &a.program.Inst[i]
		if !consumes(inst.Op) {
			continue
		}
		if len(inst.Rune) == 1 { // one character, and in other cases where the expression folds them
			bound(inst.Rune[0], inst.Rune[0])
			for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
				bound(r, r)
			}
			continue
		}
		for j := 0; j < len(inst.Rune); j += 2 {
			bound(inst.Rune[j], inst.Rune[j+1])
		}
	}
	for b := 1; b < len(a.class); b++ {
		a.class[b] = a.class[b-1]
		if b >= utf8.RuneSelf || begins[b] {
			a.class[b]++
		}
	}
	return ascii
}

// consumes reports whether the instruction reads a character.
func consumes(op syntax.InstOp) bool {
	switch op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

func (a *automaton) forget() {
	a.generation++
	if a.next == nil {
		a.next, a.known = make([]state, 0, 16*a.row), map[string]state{}
	}
	clear(a.known)
	clear(a.states)
	a.next, a.states = append(a.next[:0], make([]state, a.row)...), a.states[:0]
	a.mostIdle = a.start()
	for b := range a.idle {
		if b == '\n' && a.byLine {
			a.idle[b] = a.start()
			continue
		}
		// A byte that is not ASCII ends a character that is no letter or newline to any condition.
		a.idle[b] = a.intern(configuration{before: a.kind(rune(b))})
		a.mostIdle = max(a.mostIdle, a.idle[b])
	}
}

// start is the state at the beginning of a text.
func (a *automaton) start() state { return a.intern(configuration{before: -1}) }

// run goes through the block, of which it reads n bytes. It stops where a match is certain, and after a byte that leads
// to a state up to floor: none or mostIdle.
func (a *automaton) run(s state, block []byte, floor state) (to state, n int, matched bool) {
	next, class := a.next, &a.class
	for i, b := range block {
		to := next[int(s)+int(class[b])]
		if to <= floor {
			if to == none {
				if to = a.step(s, b); to == success {
					return s, i + 1, true
				}
				next = a.next
			}
			if to <= floor {
				return to, i + 1, false
			}
		}
		s = to
	}
	return s, len(block), false
}

// end reports whether there is a match if the text ends here.
func (a *automaton) end(s state) bool {
	c := a.configuration(s)
	for len(c.pending) > 0 {
		// Bytes that are no whole character are a character each, as everywhere in Go.
		var matched bool
		if c, matched = a.advance(c, utf8.RuneError, c.pending[1:]); matched {
			return true
		}
	}
	return a.follow(c, -1)
}

func (a *automaton) configuration(s state) configuration { return a.states[int(s)/a.row-1] }

// step finds the state after byte b, and remembers it.
func (a *automaton) step(s state, b byte) state {
	if b == '\n' && a.byLine {
		if a.end(s) {
			return success
		}
		return a.remember(s, b, configuration{before: -1})
	}
	c := a.configuration(s)
	if a.ascii && b >= utf8.RuneSelf {
		c, matched := a.advance(c, utf8.RuneError, nil)
		if matched {
			return success
		}
		return a.remember(s, b, c)
	}
	bytes := append(slices.Clone(c.pending), b)
	c.pending = bytes
	for utf8.FullRune(c.pending) {
		r, size := utf8.DecodeRune(c.pending)
		var matched bool
		if c, matched = a.advance(c, r, c.pending[size:]); matched {
			return success
		}
		if len(c.pending) == 0 {
			break
		}
	}
	return a.remember(s, b, c)
}

// remember enters a transition into the table, unless the table was forgotten to make room for the new state.
func (a *automaton) remember(s state, b byte, c configuration) state {
	table := a.generation
	to := a.intern(c)
	if a.generation == table {
		a.next[int(s)+int(a.class[b])] = to
	}
	return to
}

// intern finds or makes the state of a configuration. Where the table is full, all of it is forgotten first.
func (a *automaton) intern(c configuration) state {
	key := binary.LittleEndian.AppendUint32(nil, uint32(c.before))
	key = append(append(key, byte(len(c.pending))), c.pending...)
	for _, thread := range c.threads {
		key = binary.LittleEndian.AppendUint32(key, thread)
	}
	s, found := a.known[string(key)]
	if !found {
		if len(a.states) >= mostStates {
			a.forget()
		}
		s = state(len(a.next))
		a.next = append(a.next, make([]state, a.row)...)
		a.states = append(a.states, c)
		a.known[string(key)] = s
	}
	return s
}

// advance reads one character. matched is true if a match ended before it.
func (a *automaton) advance(c configuration, r rune, pending []byte) (to configuration, matched bool) {
	if a.follow(c, r) {
		return to, true
	}
	a.epoch++
	for _, i := range a.closure {
		inst := &a.program.Inst[i]
		if inst.MatchRune(r) && a.mark[inst.Out] != a.epoch {
			a.mark[inst.Out] = a.epoch
			to.threads = append(to.threads, inst.Out)
		}
	}
	slices.Sort(to.threads)
	to.before, to.pending = a.kind(r), pending
	return to, false
}

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

// follow collects the instructions that read the next character r, or -1 at the end, from the threads and from a match
// that begins here. It reports whether a match ends here.
func (a *automaton) follow(c configuration, r rune) (matched bool) {
	holds := syntax.EmptyOpContext(c.before, r)
	a.epoch++
	a.closure = a.closure[:0]
	a.stack = append(append(a.stack[:0], c.threads...), uint32(a.program.Start))
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
