package policy

import (
	"bytes"
	"strings"
)

// splitLines splits a text into lines as the table expects them: in lower case, without control sequences, with each URL
// replaced by the word url, and without blank lines. A carriage return ends a line, as in a progress bar.
func splitLines(text []byte) []string {
	var lines []string
	for part := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line := plainLine(part); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// lineRead is how many bytes of a line are examined. Error messages are far shorter.
const lineRead = 4 << 10

// plainLine returns a line as the table expects it; see [splitLines].
func plainLine(line []byte) string {
	line = line[max(0, len(line)-lineRead):]
	plain := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == 0x1b:
			i += escape(line[i:]) - 1
		case c >= 'A' && c <= 'Z':
			plain = append(plain, c+'a'-'A')
		case c == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\''): // in JSON and in Python's lists
		case c == '\t':
			plain = append(plain, ' ')
		case c < ' ' || c == 0x7f:
		default:
			plain = append(plain, c)
		}
	}
	return strings.TrimRight(withoutURLs(string(plain)), " ")
}

// escape returns the length of the control sequence at the beginning of a text (ECMA-48 5.4): CSI, OSC or two bytes.
func escape(text []byte) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1
			}
		}
	case ']':
		for i := 2; i < len(text); i++ {
			if text[i] == 7 || text[i] == '\\' {
				return i + 1
			}
		}
	}
	return 2
}

// withoutURLs replaces each URL, whose host and path may contain any words, with the word url.
func withoutURLs(line string) string {
	var b strings.Builder
	for {
		at := strings.Index(line, "://")
		if at < 0 {
			break
		}
		start := at
		for start > 0 && (isWord(line[start-1]) || line[start-1] == '+' || line[start-1] == '-') {
			start--
		}
		end := at + len("://")
		for end < len(line) && strings.IndexByte(" \t\"'`<>(){}|,;", line[end]) < 0 {
			end++
		}
		for strings.IndexByte(":.", line[end-1]) >= 0 {
			end--
		}
		b.WriteString(line[:start])
		b.WriteString("url")
		line = line[end:]
	}
	if b.Len() == 0 {
		return line
	}
	b.WriteString(line)
	return b.String()
}

// uncoloured returns a line without control sequences.
func uncoloured(line []byte) []byte {
	plain := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] == 0x1b {
			i += escape(line[i:]) - 1
			continue
		}
		plain = append(plain, line[i])
	}
	return plain
}
