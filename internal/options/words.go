package options

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// withScriptSwitch adds to a shell what makes it take a script as its next argument: -c, unless the system is Windows, whose
// own shells have others, which may be there already.
func withScriptSwitch(shell []string, system string) []string {
	if system != "windows" || len(shell) == 0 {
		return append(shell, "-c")
	}
	has := func(switches ...string) bool {
		return slices.ContainsFunc(shell, func(word string) bool { return slices.Contains(switches, strings.ToLower(word)) })
	}
	switch baseName(shell[0]) {
	case "cmd":
		shell = slices.DeleteFunc(shell, func(word string) bool { return strings.EqualFold(word, "/c") })
		// After /s, cmd.exe strips the outer quotes and nothing else. /d keeps AutoRun out.
		for _, s := range []string{"/d", "/s"} {
			if !has(s) {
				shell = append(shell, s)
			}
		}
		return append(shell, "/c")
	case "powershell", "pwsh":
		if !has("-command", "-c") {
			shell = append(shell, "-Command")
		}
		return shell
	}
	if !has("-c") {
		shell = append(shell, "-c")
	}
	return shell
}

// takesWords reports whether a shell gives a script the words that follow it, as $0, $1, ...
func takesWords(shell []string) bool {
	switch baseName(shell[0]) {
	case "cmd", "powershell", "pwsh":
		return runtime.GOOS != "windows"
	}
	return true
}

// baseName is a Windows program's name, in lower case, without folders and .exe.
func baseName(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `:\/`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

// splitWindows splits words as programs on Windows do: a backslash is itself unless a quote follows, and a single quote
// always.
func splitWindows(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, open := false, false // open is a word that has begun
	for i := 0; i < len(text); i++ {
		slashes := 0
		for i < len(text) && text[i] == '\\' {
			slashes++
			i++
		}
		open = open || slashes > 0
		switch {
		case i == len(text) || text[i] != '"':
			word.WriteString(strings.Repeat(`\`, slashes))
		case slashes%2 == 1:
			word.WriteString(strings.Repeat(`\`, slashes/2) + `"`)
			continue
		default:
			word.WriteString(strings.Repeat(`\`, slashes/2))
		}
		switch {
		case i == len(text):
		case text[i] == '"' && quoted && strings.HasPrefix(text[i+1:], `"`):
			word.WriteByte('"')
			i++
		case text[i] == '"':
			quoted, open = !quoted, true
		case !quoted && (text[i] == ' ' || text[i] == '\t'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(text[i])
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	if quoted {
		return nil, fmt.Errorf("%q can't be split into words: a quote is not closed", text)
	}
	return words, nil
}

// splitWindowsCommand splits a command given as one word, and refuses what cmd.exe would treat specially.
func splitWindowsCommand(text string) ([]string, error) {
	const hint = "retry -c \"COMMAND\" runs it by a shell"
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '%', r == '\n', !quoted && strings.ContainsRune("|&<>^()", r):
			return nil, badUsage(hint, "the command needs a shell: it has %q", r)
		}
	}
	words, err := splitWindows(text)
	switch {
	case err != nil:
		return nil, badUsage(hint, "the command can't be split into words: a quote is not closed")
	case len(words) == 0 || words[0] == "":
		return nil, badUsage("", "the command is empty")
	}
	return words, nil
}
