package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// classes are the kinds of bytes and of characters that an expression distinguishes.
type classes struct {
	program *syntax.Prog

	// class[b] is the class of byte b, of which there are row. Those of ASCII, which is most of what there is, come
	// first, so that the part of the table in use is small.
	class [256]uint8
	row   int

	ascii bool   // no match contains a character outside ASCII, so bytes need not be combined into characters
	cuts  []rune // the characters outside ASCII at which a range begins or has ended

	kinds    []kind   // kinds[i] is that of the characters from cuts[i-1] up to cuts[i]; 0 until it is needed
	readers  []string // readers[k-1] encodes the instructions that read the characters of kind k
	prefixes []prefix // one for each set of prefixes that are alike
}

// kind is a number above 0 for a set of characters that no instruction distinguishes.
type kind int

// prefix is the beginning of characters of a kind, of which left bytes are missing.
type prefix struct {
	bytes []byte
	left  int
	kind  kind
}

// classify returns the classes for a program with the given assertions. A class of bytes begins wherever a range of
// characters in the program begins or has ended.
func classify(program *syntax.Prog, assertions syntax.EmptyOp) classes {
	c := classes{program: program, ascii: true}
	var begins [257]bool
	bound := func(low, high rune) {
		c.ascii = c.ascii && high < utf8.RuneSelf
		for _, r := range []rune{low, high + 1} {
			if r < utf8.RuneSelf {
				begins[r] = true
			} else if r <= unicode.MaxRune {
				c.cuts = append(c.cuts, r)
			}
		}
	}
	bound('\n', '\n')
	bound('\r', '\r')
	if assertions&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
		bound('0', '9')
		bound('A', 'Z')
		bound('_', '_')
		bound('a', 'z')
	}
	for i := range program.Inst {
		eachRange(&program.Inst[i], bound)
	}
	// If the bytes of a character were read one by one, \B would hold between them.
	c.ascii = c.ascii && assertions&syntax.EmptyNoWordBoundary == 0
	begins[utf8.RuneSelf] = true
	if !c.ascii {
		c.cutBytes(&begins)
	}
	for b := 1; b < len(c.class); b++ {
		c.class[b] = c.class[b-1]
		if begins[b] {
			c.class[b]++
		}
	}
	c.row = int(c.class[len(c.class)-1]) + 1
	return c
}

// eachRange calls bound for every range of characters that the instruction reads.
func eachRange(inst *syntax.Inst, bound func(low, high rune)) {
	if !consumes(inst.Op) {
		return
	}
	if len(inst.Rune) == 1 { // a single character, perhaps in either case
		bound(inst.Rune[0], inst.Rune[0])
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
				bound(r, r)
			}
		}
		return
	}
	for i := 0; i < len(inst.Rune); i += 2 {
		bound(inst.Rune[i], inst.Rune[i+1])
	}
}

// consumes reports whether the instruction reads a character.
func consumes(op syntax.InstOp) bool {
	switch op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// cutBytes begins a class of bytes wherever UTF-8 has another rule for the byte or for the next one, and wherever the
// bytes of the characters on both sides of a cut differ.
func (c *classes) cutBytes(begins *[257]bool) {
	for _, b := range []byte{0x90, 0xa0, 0xc0, 0xc2, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5} {
		begins[b] = true
	}
	slices.Sort(c.cuts)
	c.cuts = slices.Compact(c.cuts)
	for _, r := range c.cuts {
		if !utf8.ValidRune(r) {
			r = 0xe000 // surrogates are not valid, and this is the next valid character
		}
		for _, b := range utf8.AppendRune(nil, r) {
			begins[b], begins[int(b)+1] = true, true
		}
	}
	c.kinds = make([]kind, len(c.cuts)+1)
}

// alike returns the same prefix for all those between which the expression can't tell a difference: the same bytes can
// follow, and the same instructions read every character that results. Without this, the automaton would have a state
// for every prefix.
func (c *classes) alike(pending []byte) []byte {
	if len(pending) == 0 {
		return nil
	}
	low, left := span(pending)
	i, found := slices.BinarySearch(c.cuts, low)
	if found {
		i++
	}
	if left == 0 || i < len(c.cuts) && c.cuts[i] < low+1<<(6*left) {
		return pending
	}
	kind := c.kind(i, low)
	for _, p := range c.prefixes {
		if len(p.bytes) == len(pending) && p.left == left && p.kind == kind {
			return p.bytes
		}
	}
	c.prefixes = append(c.prefixes, prefix{pending, left, kind})
	return pending
}

// kind returns the kind of the characters from cuts[i-1] up to cuts[i], of which r is one.
func (c *classes) kind(i int, r rune) kind {
	if c.kinds[i] > 0 {
		return c.kinds[i]
	}
	var key []byte
	for j := range c.program.Inst {
		if inst := &c.program.Inst[j]; consumes(inst.Op) && inst.MatchRune(r) {
			key = binary.AppendUvarint(key, uint64(j))
		}
	}
	at := slices.Index(c.readers, string(key))
	if at < 0 {
		at = len(c.readers)
		c.readers = append(c.readers, string(key))
	}
	c.kinds[i] = kind(at + 1)
	return c.kinds[i]
}

// span returns the first character that begins with these bytes, and how many bytes of it are missing. left is 0 if
// some continuation bytes can't come next.
func span(pending []byte) (low rune, left int) {
	first := pending[0]
	switch {
	case first < 0xe0:
		low, left = rune(first&0x1f), 1
	case first < 0xf0:
		low, left = rune(first&0x0f), 2
	default:
		low, left = rune(first&0x07), 3
	}
	for _, b := range pending[1:] {
		low, left = low<<6|rune(b&0x3f), left-1
	}
	if len(pending) == 1 && (first == 0xe0 || first == 0xed || first == 0xf0 || first == 0xf4) {
		return low, 0
	}
	return low << (6 * left), left
}
