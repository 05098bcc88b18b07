package scan

import (
	"bytes"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

const (
	// mostLiterals is how many searches for a literal are still cheaper than the automaton.
	mostLiterals = 4
	// leastLiteral is how many bytes a literal has to have to be rare enough to be worth a search.
	leastLiteral = 2
	// otherCase is the bit in which the two cases of an ASCII letter differ.
	otherCase = 'a' - 'A'
)

// literal is a text that may have letters in either case. A byte b is at i where b|fold[i] == text[i], or where the
// letter that Unicode has as another case of text[i] is; see wide.
type literal struct {
	text []byte // letters that may be in either case are in lower case
	fold []byte // otherCase for such letters, 0 for all else
}

// requirement is what every match contains.
type requirement struct {
	literals []literal // one of these; none where nothing is known
	leading  bool      // the match begins with it
}

// required finds out what every match of an expression contains, which has been simplified.
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

// ofConcatenation is the longest of what the parts require.
func ofConcatenation(parts []*syntax.Regexp) (best requirement) {
	leading := true // only conditions so far
	for _, part := range parts {
		found := required(part)
		found.leading = found.leading && leading
		if found.shortest() > best.shortest() {
			best = found
		}
		leading = leading && isCondition(part.Op)
	}
	return best
}

// ofAlternatives is what the alternatives require together, where each requires something.
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

// isCondition reports whether the operator reads no character.
func isCondition(op syntax.Op) bool {
	switch op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return false
}

// longest is the longest stretch of a literal that can be looked for as bytes. The replacement character can't: it
// stands for bytes that are no character, too. Neither can a letter outside ASCII that may be in either case.
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

// add appends a character, which may be in either case if fold is true. It reports whether that can be.
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

// wide is what may stand for a letter outside ASCII if it may be in either case: the long s and the sign of the kelvin.
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

// mostBytes is how many bytes a text can have that the literal stands for.
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

// precedes reports whether text ends with the bytes of the literal before i, and where they begin.
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

// shortest is the length of the shortest literal, 0 where there is none.
func (r requirement) shortest() int {
	length := 0
	for i, l := range r.literals {
		if i == 0 || len(l.text) < length {
			length = len(l.text)
		}
	}
	return length
}
