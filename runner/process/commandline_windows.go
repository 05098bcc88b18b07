package process

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/windows"
)

// commandLine returns the program to start for the command found at path, and its command line. Windows passes one
// line, not a list of arguments. Nearly all programs split it by the rules of Microsoft's C runtime, but cmd.exe has
// rules of its own.
func commandLine(path string, command []string) (program, line string, err error) {
	switch extension := strings.ToLower(filepath.Ext(path)); {
	case extension == ".bat" || extension == ".cmd":
		system, err := windows.GetSystemDirectory()
		if err != nil {
			return "", "", err
		}
		line, err := batchLine(path, command[1:])
		return filepath.Join(system, "cmd.exe"), line, err
	case strings.EqualFold(filepath.Base(path), "cmd.exe"):
		return path, interpreterLine(command), nil
	}
	return path, windows.ComposeCommandLine(command), nil
}

// interpreterLine returns a command line for cmd.exe. With /s and /c or /k, cmd.exe strips one pair of quotes and uses
// what is between them as it is. Without /s, the arguments are quoted as for any other program.
func interpreterLine(command []string) string {
	isSwitch := func(switches ...string) func(string) bool {
		return func(word string) bool { return slices.Contains(switches, strings.ToLower(word)) }
	}
	end := slices.IndexFunc(command, isSwitch("/c", "/k"))
	if end < 0 || end == len(command)-1 || !slices.ContainsFunc(command[:end], isSwitch("/s")) {
		return windows.ComposeCommandLine(command)
	}
	return windows.ComposeCommandLine(command[:end+1]) + ` "` + strings.Join(command[end+1:], " ") + `"`
}

// batchLine returns a command line with which cmd.exe runs a batch file and nothing else, whatever the arguments
// contain. It turns off AutoRun and the expansion of !, so that only quotes and percent signs need escaping.
func batchLine(path string, arguments []string) (string, error) {
	line := `cmd.exe /d /e:on /v:off /s /c "` + quoteBatch(filepath.FromSlash(path), true)
	for _, argument := range arguments {
		if strings.ContainsAny(argument, "\r\n\x00") {
			return "", errors.New("an argument of a batch file can't have a line break")
		}
		line += " " + quoteBatch(argument, strings.Trim(argument, plainInBatch) != "" || argument == "" ||
			strings.HasSuffix(argument, `\`))
	}
	return line + `"`, nil
}

// plainInBatch holds the characters that have no special meaning to cmd.exe, inside or outside of quotes.
const plainInBatch = `0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$*+-./:?@\_`

// quoteBatch returns one word. A quote is doubled, which both cmd.exe and the program it runs take for a literal quote,
// and so are the backslashes before it. cmd.exe has no escape for a percent sign, but takes it literally if another one
// follows. That one begins %cd:~,%, the empty substring of a variable.
func quoteBatch(word string, quoted bool) string {
	var b strings.Builder
	if quoted {
		b.WriteByte('"')
	}
	backslashes := 0
	for i := range len(word) {
		switch word[i] {
		case '\\':
			backslashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
			backslashes = 0
		case '%':
			b.WriteString(`%%cd:~,`)
			backslashes = 0
		default:
			backslashes = 0
		}
		b.WriteByte(word[i])
	}
	if quoted {
		b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
	}
	return b.String()
}
