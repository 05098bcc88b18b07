package scan

import "bytes"

const (
	// mostSampled bounds the bytes in which a finder counts what is rare.
	mostSampled = 16 << 10
	// sampleEvery is how many times as many bytes go by before it counts again.
	sampleEvery = 64
)

// finder finds a literal in one block after another. It looks for that byte of the literal which is the rarest in the
// stream, because bytes.IndexByte goes through what lies between at the speed of memory.
type finder struct {
	literal
	anchor int      // which byte of the literal is looked for
	cases  []cursor // for the byte, or for the first byte of each case of it
	found  int      // where in the block the literal is next; the block's length where it isn't
	due    int      // how many bytes on it is time to count again
	tried  int      // how many times the byte was there, and the rest of the literal was compared
}

// cursor is where in the block a byte is next.
type cursor struct {
	b  byte
	at int // the block's length where it isn't
}

// begin starts on a block.
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

// choose makes the rarest byte the one to look for.
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

// first appends the bytes with which the cases of byte i of the literal begin.
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

// next is where the literal is next in the block, not before from; the block's length where it isn't.
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

// next is where the byte is next in the block, not before from.
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
