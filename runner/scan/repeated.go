package scan

import "regexp/syntax"

// MostRepeated is how many characters the counted repetitions of all expressions of a call should stand for. Where a match
// can begin at each character of the input, every one of these may have to be followed at each character, and the automaton
// has a state for every set of them: (a|b)*a(a|b){n}c has 2^n. At this bound a byte costs at most some microseconds.
const MostRepeated = 500

// Repeated is how many characters the counted repetitions of an expression stand for: 10 in [0-9]{4}(-[0-9]{2}){2}. A literal
// text counts as one character, because no more than one place in it is of interest after most texts.
func Repeated(expression *syntax.Regexp) (n int) {
	if times(expression) > 1 {
		return characters(expression)
	}
	for _, part := range expression.Sub {
		n += Repeated(part)
	}
	return n
}

// characters is how many characters, literals and classes an expression stands for when its repetitions are written out.
func characters(expression *syntax.Regexp) (n int) {
	switch expression.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	}
	for _, part := range expression.Sub {
		n += characters(part)
	}
	return n * times(expression)
}

// times is how often an expression is written when its repetition is written out.
func times(expression *syntax.Regexp) int {
	if expression.Op != syntax.OpRepeat {
		return 1
	}
	return max(1, expression.Min, expression.Max)
}
