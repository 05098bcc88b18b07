package scan

import "bytes"

const (
	// mostSampled is the most bytes that a finder counts to find a rare one.
	mostSampled = 16 << 10
	// sampleEvery is how many times the length of a sample passes before the next one is taken.
	sampleEvery = 64
)

// finder finds a literal in one block after another. It searches for the byte of the literal that is the rarest in the
// stream, because bytes.IndexByte skips what lies between at the speed of memory.
type finder struct {
	literal
	anchor int      // the index in the literal of the byte searched for
	cases  []cursor // for that byte, or for the first byte of each of its cases
	found  int      // where the literal occurs next in the block; the block's length if it doesn't
	due    int      // how many bytes from now the next sample is taken
	tried  int      // how many times the byte was found and the rest of the literal compared
}

// cursor is where a byte occurs next in the block.
type cursor struct {
	b  byte
	at int // the block's length if it doesn't
}

// begin starts a new block.
func (f *finder) begin(block []byte) {
	if f.due -= len(block); f.due <= 0 {
		sample := block[:min(len(block), mostSampled)]
		f.choose(sample)
		f.due = sampleEvery * len(sample)
	}
	f.found = -1
	for i := range f.cases {
		f.cases[i].at = -1
	}
}

// choose makes the literal's rarest byte the one to search for.
func (f *finder) choose(sample []byte) {
	least := len(sample) + 1
	var room [3]byte
	for i := range f.text {
		n := 0
		for _, b := range f.first(i, room[:0]) {
			n += bytes.Count(sample, []byte{b})
		}
		if n < least {
			least, f.anchor = n, i
		}
	}
	f.cases = f.cases[:0]
	for _, b := range f.first(f.anchor, room[:0]) {
		f.cases = append(f.cases, cursor{b: b})
	}
}

// first appends the first byte of each case of byte i of the literal.
func (f *finder) first(i int, to []byte) []byte {
	b := f.text[i]
	if to = append(to, b); f.fold[i] != 0 {
		to = append(to, b-otherCase)
	}
	if other := wide(b, f.fold[i]); other != "" {
		to = append(to, other[0])
	}
	return to
}

// next returns where the literal occurs next in the block, at from or later, or the block's length if it doesn't.
func (f *finder) next(block []byte, from int) int {
	if f.found >= from {
		return f.found
	}
	f.found = len(block)
	for at := from; ; at++ {
		nearest := len(block)
		for i := range f.cases {
			nearest = min(nearest, f.cases[i].next(block, at))
		}
		if at = nearest; at == len(block) {
			break
		}
		f.tried++
		if !f.follows(block[at:], f.anchor) {
			continue
		}
		if begin, ok := f.precedes(block[from:at], f.anchor); ok {
			f.found = from + begin
			break
		}
	}
	return f.found
}

// next returns where the byte occurs next in the block, at from or later, or the block's length if it doesn't.
func (c *cursor) next(block []byte, from int) int {
	if c.at < from {
		c.at = len(block)
		if from < len(block) {
			if i := bytes.IndexByte(block[from:], c.b); i >= 0 {
				c.at = from + i
			}
		}
	}
	return c.at
}
