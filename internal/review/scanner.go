package review

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// scan reads a line in the form in which retry writes nearly all lines. It leaves everything unusual, and everything that may be
// invalid, to decode: white space, escapes, exponents, texts that are not UTF-8, and objects and lists within the object, except
// the two that retry writes.
func (l *line) scan(text []byte) bool {
	s := scanner{text: text, ascii: true}
	if !s.byte('{') {
		return false
	}
	for {
		key, ok := s.string()
		if !ok || !s.byte(':') {
			return false
		}
		v, ok := s.value(l.failures[:0])
		if !ok || !l.set(key, v) {
			return false
		}
		if s.byte('}') {
			return s.at == len(s.text) && (s.ascii || utf8.Valid(text))
		}
		if !s.byte(',') {
			return false
		}
	}
}

// A scanner parses JSON in which nothing is unusual.
type scanner struct {
	text  []byte
	at    int
	ascii bool // so far
}

// byte consumes a byte if it comes next.
func (s *scanner) byte(b byte) bool {
	if s.at < len(s.text) && s.text[s.at] == b {
		s.at++
		return true
	}
	return false
}

// word consumes a word if it comes next.
func (s *scanner) word(word string) bool {
	if len(s.text)-s.at >= len(word) && string(s.text[s.at:s.at+len(word)]) == word {
		s.at += len(word)
		return true
	}
	return false
}

// string reads a string without escapes.
func (s *scanner) string() (content []byte, ok bool) {
	if !s.byte('"') {
		return nil, false
	}
	for i, b := range s.text[s.at:] {
		switch {
		case b == '"':
			content = s.text[s.at : s.at+i]
			s.at += i + 1
			return content, true
		case b == '\\' || b < ' ':
			return nil, false
		case b >= utf8.RuneSelf:
			s.ascii = false
		}
	}
	return nil, false
}

// value reads any value. Failures are appended to the given slice.
func (s *scanner) value(space []failure) (v value, ok bool) {
	if s.at == len(s.text) {
		return v, false
	}
	switch s.text[s.at] {
	case '"':
		v.kind = ofText
		v.text, ok = s.string()
	case '{':
		v.kind = ofCounts
		v.failures, ok = s.failures(space)
	case '[':
		ok = s.strings()
	case 't':
		v.kind, v.flag, ok = ofFlag, true, s.word("true")
	case 'f':
		v.kind, ok = ofFlag, s.word("false")
	case 'n':
		ok = s.word("null")
	default:
		v.kind = ofNumber
		v.number, ok = s.number()
	}
	return v, ok
}

// strings reads a list of strings.
func (s *scanner) strings() bool {
	s.at++
	if s.byte(']') {
		return true
	}
	for {
		if _, ok := s.string(); !ok {
			return false
		}
		if s.byte(']') {
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

// failures reads an object of counts in which each reason occurs once.
func (s *scanner) failures(list []failure) ([]failure, bool) {
	s.at++
	if s.byte('}') {
		return list, true
	}
	for {
		reason, ok := s.string()
		if !ok || !s.byte(':') || isAmong(reason, list) {
			return nil, false
		}
		n, ok := s.number()
		if !ok || !isCount(n) {
			return nil, false
		}
		list = append(list, failure{reason, int(n)})
		if s.byte('}') {
			return list, true
		}
		if !s.byte(',') {
			return nil, false
		}
	}
}

func isAmong(reason []byte, list []failure) bool {
	for _, f := range list {
		if bytes.Equal(f.reason, reason) {
			return true
		}
	}
	return false
}

// powers lists the powers of ten that a float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// number reads a number without an exponent. A number of up to 15 digits is read as an integer and divided, which rounds once
// and so gives the nearest float64 (Clinger 1990). Longer ones are left to strconv.
func (s *scanner) number() (x float64, ok bool) {
	first := s.at
	negative := s.byte('-')
	digits, decimals := s.at, 0
	whole := int64(0)
	for ; s.isDigit(); s.at++ {
		whole = whole*10 + int64(s.text[s.at]-'0')
	}
	n := s.at - digits
	if n == 0 || n > 1 && s.text[digits] == '0' {
		return 0, false
	}
	if s.byte('.') {
		for ; s.isDigit(); s.at++ {
			whole = whole*10 + int64(s.text[s.at]-'0')
			decimals++
		}
		if decimals == 0 {
			return 0, false
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		return 0, false
	}
	if n+decimals >= len(powers) {
		x, err := strconv.ParseFloat(string(s.text[first:s.at]), 64)
		return x, err == nil
	}
	x = float64(whole) / powers[decimals]
	if negative {
		x = -x
	}
	return x, true
}

func (s *scanner) isDigit() bool { return s.at < len(s.text) && s.text[s.at]-'0' < 10 }
