package scan

import (
	"bytes"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

const (
	// mostLiterals is the most literals that can be searched for faster than the automaton reads.
	mostLiterals = 4
	// leastLiteral is how many bytes a literal must have to be rare enough to be worth a search.
	leastLiteral = 2
	// otherCase is the bit in which the two cases of an ASCII letter differ.
	otherCase = 'a' - 'A'
)

// literal is a text in which letters may be in either case. Byte b matches at i if b|fold[i] == text[i]. Some letters
// have another case outside ASCII, which also matches; see wide.
type literal struct {
	text []byte // letters that may be in either case are in lower case
	fold []byte // otherCase for these letters, 0 for everything else
}

// requirement is what every match contains.
type requirement struct {
	literals []literal // at least one of these; none if nothing is known
	leading  bool      // the match begins with it
}

// required returns what every match of a simplified expression contains.
func required(tree *syntax.Regexp) requirement {
	switch tree.Op {
	case syntax.OpLiteral:
		return longest(tree)
	case syntax.OpCapture, syntax.OpPlus:
		return required(tree.Sub[0])
	case syntax.OpConcat:
		return ofConcatenation(tree.Sub)
	case syntax.OpAlternate:
		return ofAlternatives(tree.Sub)
	}
	return requirement{}
}

// ofConcatenation returns the longest requirement of the parts.
func ofConcatenation(parts []*syntax.Regexp) (best requirement) {
	leading := true // only assertions so far
	for _, part := range parts {
		found := required(part)
		found.leading = found.leading && leading
		if found.shortest() > best.shortest() {
			best = found
		}
		leading = leading && isAssertion(part.Op)
	}
	return best
}

// ofAlternatives returns the requirements of all alternatives together, if each of them has one.
func ofAlternatives(alternatives []*syntax.Regexp) requirement {
	all := requirement{leading: true}
	for _, alternative := range alternatives {
		found := required(alternative)
		if len(found.literals) == 0 || len(all.literals)+len(found.literals) > mostLiterals {
			return requirement{}
		}
		all.literals = append(all.literals, found.literals...)
		all.leading = all.leading && found.leading
	}
	return all
}

// isAssertion reports whether the operator reads no character.
func isAssertion(op syntax.Op) bool {
	switch op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return false
}

// longest returns the longest stretch of a literal that can be searched for as bytes. That leaves out the replacement
// character, which also stands for invalid bytes, and letters outside ASCII that may be in either case.
func longest(tree *syntax.Regexp) requirement {
	var best, current literal
	leading, begun := false, 0
	for i, r := range tree.Rune {
		if !current.add(r, tree.Flags&syntax.FoldCase != 0) {
			current, begun = literal{}, i+1
		}
		if len(current.text) > len(best.text) {
			best, leading = current, begun == 0
		}
	}
	if len(best.text) < leastLiteral {
		return requirement{}
	}
	return requirement{[]literal{best}, leading}
}

// add appends a character, which may be in either case if fold is true. It reports whether the character can be
// searched for.
func (l *literal) add(r rune, fold bool) bool {
	if r == utf8.RuneError {
		return false
	}
	var mask byte
	if fold && unicode.SimpleFold(r) != r {
		if r >= utf8.RuneSelf {
			return false
		}
		r, mask = unicode.ToLower(r), otherCase
	}
	l.text = utf8.AppendRune(l.text, r)
	for len(l.fold) < len(l.text) {
		l.fold = append(l.fold, mask)
	}
	return true
}

// wide returns the letter outside ASCII that is another case of b, if b may be in either case: long s or the Kelvin sign.
func wide(b, fold byte) string {
	switch {
	case fold == 0:
	case b == 's':
		return "\u017f"
	case b == 'k':
		return "\u212a"
	}
	return ""
}

// mostBytes returns the length of the longest text that the literal matches.
func (l *literal) mostBytes() (n int) {
	for i, b := range l.text {
		n += max(1, len(wide(b, l.fold[i])))
	}
	return n
}

// follows reports whether text begins with the bytes of the literal from i on.
func (l *literal) follows(text []byte, i int) bool {
	for ; i < len(l.text); i++ {
		b, fold := l.text[i], l.fold[i]
		if len(text) > 0 && text[0]|fold == b {
			text = text[1:]
			continue
		}
		other := wide(b, fold)
		if other == "" || !bytes.HasPrefix(text, []byte(other)) {
			return false
		}
		text = text[len(other):]
	}
	return true
}

// precedes reports whether text ends with the bytes of the literal before i, and returns where they begin.
func (l *literal) precedes(text []byte, i int) (begin int, ok bool) {
	for i--; i >= 0; i-- {
		b, fold, last := l.text[i], l.fold[i], len(text)-1
		if last >= 0 && text[last]|fold == b {
			text = text[:last]
			continue
		}
		other := wide(b, fold)
		if other == "" || !bytes.HasSuffix(text, []byte(other)) {
			return 0, false
		}
		text = text[:len(text)-len(other)]
	}
	return len(text), true
}

// shortest returns the length of the shortest literal, or 0 if there is none.
func (r requirement) shortest() int {
	length := 0
	for i, l := range r.literals {
		if i == 0 || len(l.text) < length {
			length = len(l.text)
		}
	}
	return length
}
