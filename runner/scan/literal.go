package scan

import (
	"regexp/syntax"
	"unicode/utf8"
)

const (
	// mostLiterals is how many searches for a literal are still cheaper than the automaton.
	mostLiterals = 4
	// leastLiteral is how long a literal has to be to be rare enough to be worth a search.
	leastLiteral = 2
)

// required finds literals of which every match has at least one, or none where it can't tell.
func required(tree *syntax.Regexp) [][]byte {
	var best [][]byte
	switch tree.Op {
	case syntax.OpLiteral:
		return literal(tree)
	case syntax.OpCapture, syntax.OpPlus:
		return required(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return required(tree.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			if found := required(sub); shortest(found) > shortest(best) {
				best = found
			}
		}
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			found := required(sub)
			if len(found) == 0 || len(best)+len(found) > mostLiterals {
				return nil
			}
			best = append(best, found...)
		}
	}
	return best
}

// literal is the text of a literal, if it can be looked for as bytes: not one to be matched in any case, and not one
// with the replacement character, which stands for bytes that are no character, too.
func literal(tree *syntax.Regexp) [][]byte {
	if tree.Flags&syntax.FoldCase != 0 {
		return nil
	}
	var text []byte
	for _, r := range tree.Rune {
		if r == utf8.RuneError {
			return nil
		}
		text = utf8.AppendRune(text, r)
	}
	if len(text) < leastLiteral {
		return nil
	}
	return [][]byte{text}
}

// shortest is the length of the shortest literal, 0 where there is none.
func shortest(literals [][]byte) int {
	length := 0
	for i, l := range literals {
		if i == 0 || len(l) < length {
			length = len(l)
		}
	}
	return length
}
