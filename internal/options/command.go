package options

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"retry/runner/process"

	"github.com/mattn/go-shellwords"
)

// command is the argument vector: the shell's for -c, the words as they stand, or a single word that is no executable
// split into words.
func (s *Settings) command(words []string) ([]string, error) {
	switch {
	case s.Given("c") && len(words) > 0 && !takesWords(s.shell):
		return nil, badUsage("", "words after -c STRING mean nothing to %s", baseName(s.shell[0]))
	case s.Given("c"):
		return append(append(slices.Clone(s.shell), s.script), words...), nil
	case len(words) == 0:
		return nil, badUsage("retry [options] [--] COMMAND [ARG...]; retry -h shows the options", "there is no command to run")
	case len(words) == 1 && !process.Executable(words[0]):
		return splitCommand(words[0])
	}
	return words, nil
}

// byShell is the argument vector of a command that the shell runs, or none where there is no command.
func (s *Settings) byShell(script string) []string {
	if script == "" {
		return nil
	}
	return append(slices.Clone(s.shell), script)
}

// splitCommand splits a command given as one word. What only a shell would get right is refused: splitting it would
// run something else than what is written. The text itself may hold secrets and is not shown.
func splitCommand(text string) ([]string, error) {
	const hint = "retry -c 'COMMAND' runs it by a shell"
	if runtime.GOOS == "windows" {
		return splitWindowsCommand(text)
	}
	if what := shellSyntax(text); what != "" {
		return nil, badUsage(hint, "the command needs a shell: it has %s", what)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil || parser.Position >= 0:
		return nil, badUsage(hint, "the command can't be split into words: a quote or a parenthesis is not closed")
	case len(words) == 0:
		return nil, badUsage("", "the command is empty")
	}
	return words, nil
}

// shellSyntax names the first thing in text that a shell would treat specially and that splitting into words would
// not, or would treat otherwise.
func shellSyntax(text string) string {
	var quote, previous rune = 0, ' '
	escaped := false
	for i, r := range text {
		atStart := unicode.IsSpace(previous)
		previous = r
		if escaped {
			escaped = false
			if (quote == '"' && !strings.ContainsRune("\"\\$`", r)) || (quote == 0 && strings.ContainsRune("nt\n", r)) {
				return "a backslash before " + fmt.Sprintf("%q", r)
			}
			continue
		}
		switch {
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == '\'':
		case r == '$', r == '`':
			return fmt.Sprintf("a %c outside single quotes", r)
		case quote == '"':
		case r == '"', r == '\'':
			quote = r
		case r == '\n':
			return "a newline"
		case strings.ContainsRune("|&;<>()*?", r):
			return fmt.Sprintf("an unquoted %c", r)
		case r == '[' && !(atStart && startsBlank(text[i+1:])):
			return "an unquoted ["
		case (r == '~' || r == '#') && atStart:
			return fmt.Sprintf("a word that starts with %c", r)
		}
	}
	first := strings.Fields(text + " x")[0]
	if slices.Contains(reserved, first) {
		return "the shell's own word " + first + " in front"
	}
	if name, _, found := strings.Cut(first, "="); found && isName(name) {
		return "an assignment in front"
	}
	return ""
}

// reserved are the words with which a compound command of a shell begins.
var reserved = []string{"!", "{", "[[", "if", "for", "while", "until", "case", "select", "function"}

func startsBlank(text string) bool {
	return text == "" || text[0] == ' ' || text[0] == '\t'
}

// isName reports whether a shell variable can have this name.
func isName(text string) bool {
	for i, r := range text {
		if r != '_' && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}
