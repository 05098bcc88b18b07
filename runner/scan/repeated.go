package scan

import "regexp/syntax"

// MostRepeated is the most characters that the counted repetitions of a call's expressions may stand for. If a match
// can begin at every character of the input, each of them may have to be followed at once, and the automaton has a
// state for every set of them: (a|b)*a(a|b){n}c has 2^n. Within this limit, a byte of input costs at most a few
// microseconds.
const MostRepeated = 500

// Repeated returns how many characters the counted repetitions of an expression stand for: 10 for
// [0-9]{4}(-[0-9]{2}){2}. A literal counts as one character, because after most texts at most one position in it matters.
func Repeated(expression *syntax.Regexp) (n int) {
	if times(expression) > 1 {
		return characters(expression)
	}
	for _, part := range expression.Sub {
		n += Repeated(part)
	}
	return n
}

// characters returns how many literals and classes an expression contains once its repetitions are written out.
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

// times returns how often an expression is repeated once its repetition is written out.
func times(expression *syntax.Regexp) int {
	if expression.Op != syntax.OpRepeat {
		return 1
	}
	return max(1, expression.Min, expression.Max)
}
