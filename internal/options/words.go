package options

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/mattn/go-shellwords"
)

// splitWords splits the value of an option into words. It returns an error if the value has a shell operator.
func splitWords(value string) ([]string, error) {
	if runtime.GOOS == "windows" {
		return splitWindows(value)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(value)
	if err != nil || parser.Position >= 0 {
		return nil, fmt.Errorf("%q can't be split into words: it has an unclosed quote or a shell operator", value)
	}
	return words, nil
}

// splitCommand splits a command that is given as a single argument. Syntax that needs a shell is an error, because splitting it
// would run something else. The errors don't quote the text, which may contain secrets.
func splitCommand(text string) ([]string, error) {
	const hint = "use retry -c 'COMMAND' to run it with a shell"
	if runtime.GOOS == "windows" {
		return splitWindowsCommand(text)
	}
	if what := shellSyntax(text); what != "" {
		return nil, usageErrorf("the command needs a shell: it has %s", what).hinting(hint)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil || parser.Position >= 0:
		return nil, usageErrorf("the command can't be split into words: it has an unclosed quote or parenthesis").hinting(hint)
	case len(words) == 0:
		return nil, usageErrorf("the command is empty")
	}
	return words, nil
}

// shellSyntax names the first thing in the text that a shell treats differently from splitting into words, or returns "" if
// there is none.
func shellSyntax(text string) string {
	quote, escaped, atStart := rune(0), false, true
	for i, r := range text {
		what := ""
		switch {
		case escaped:
			escaped, what = false, escapeSyntax(r, quote)
		case quote != 0 && r == quote:
			quote = 0
		case quote == '\'':
		case r == '\\':
			escaped = true
		case r == '$', r == '`':
			what = fmt.Sprintf("a %c outside single quotes", r)
		case quote == '"':
		case r == '"', r == '\'':
			quote = r
		default:
			what = bareSyntax(r, atStart, text[i:])
		}
		if what != "" {
			return what
		}
		atStart = unicode.IsSpace(r)
	}
	return frontSyntax(text)
}

// escapeSyntax names a backslash before r if a shell treats it differently. quote is the open quote, or 0.
func escapeSyntax(r, quote rune) string {
	if (quote == '"' && !strings.ContainsRune("\"\\$`", r)) || (quote == 0 && strings.ContainsRune("nt\n", r)) {
		return fmt.Sprintf("a backslash before %q", r)
	}
	return ""
}

// bareSyntax names r, the first character of the rest of the text, if it is special outside quotes.
func bareSyntax(r rune, atStart bool, rest string) string {
	switch {
	case r == '\n':
		return "a newline"
	case strings.ContainsRune("|&;<>()*?", r):
		return fmt.Sprintf("an unquoted %c", r)
	case r == '[' && !(atStart && startsBlank(rest[1:])): // [ alone is a command
		return "an unquoted ["
	case (r == '~' || r == '#') && atStart:
		return fmt.Sprintf("a word that starts with %c", r)
	}
	return ""
}

// frontSyntax names a reserved word or an assignment at the front, which a shell wouldn't take for the name of a program.
func frontSyntax(text string) string {
	first := strings.Fields(text + " x")[0]
	if slices.Contains(reserved, first) {
		return "the shell's own word " + first + " in front"
	}
	if name, _, found := strings.Cut(first, "="); found && isName(name) {
		return "an assignment in front"
	}
	return ""
}

// reserved lists the words that begin a compound command of the shell.
var reserved = []string{"!", "{", "[[", "if", "for", "while", "until", "case", "select", "function"}

// startsBlank reports whether the text is empty or starts with a blank.
func startsBlank(text string) bool {
	return text == "" || text[0] == ' ' || text[0] == '\t'
}

// isName reports whether the text can be the name of a shell variable.
func isName(text string) bool {
	for i, r := range text {
		if r != '_' && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}

// splitWindows splits the text into words as programs on Windows do: a backslash is special only before a double quote, and a
// single quote is never special.
func splitWindows(text string) (words []string, err error) {
	const blanks = " \t"
	for rest := strings.TrimLeft(text, blanks); rest != ""; rest = strings.TrimLeft(rest, blanks) {
		var word string
		var closed bool
		word, rest, closed = windowsWord(rest)
		if !closed {
			return nil, fmt.Errorf("%q can't be split into words: it has an unclosed quote", text)
		}
		words = append(words, word)
	}
	return words, nil
}

// windowsWord cuts the first word off the text, and reports whether its quotes are closed.
func windowsWord(text string) (word, rest string, closed bool) {
	var b strings.Builder
	quoted := false
	for text != "" && (quoted || !startsBlank(text)) {
		slashes := len(text) - len(strings.TrimLeft(text, `\`))
		switch {
		case slashes > 0 && !strings.HasPrefix(text[slashes:], `"`):
			b.WriteString(text[:slashes])
			text = text[slashes:]
		case slashes > 1: // two backslashes before a quote stand for one
			b.WriteByte('\\')
			text = text[2:]
		case slashes == 1, quoted && strings.HasPrefix(text, `""`):
			b.WriteByte('"')
			text = text[2:]
		case text[0] == '"':
			quoted, text = !quoted, text[1:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String(), text, !quoted
}

// splitWindowsCommand is splitCommand for Windows: it rejects characters that are special to cmd.exe.
func splitWindowsCommand(text string) ([]string, error) {
	const hint = "use retry -c \"COMMAND\" to run it with a shell"
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '%', r == '\n', !quoted && strings.ContainsRune("|&<>^()", r):
			return nil, usageErrorf("the command needs a shell: it has %q", r).hinting(hint)
		}
	}
	words, err := splitWindows(text)
	switch {
	case err != nil:
		return nil, usageErrorf("the command can't be split into words: it has an unclosed quote").hinting(hint)
	case len(words) == 0 || words[0] == "":
		return nil, usageErrorf("the command is empty")
	}
	return words, nil
}
