package options

import (
	"errors"
	"runtime"
	"slices"
	"strings"
)

// defaultShell returns the shell that is used without --shell.
func defaultShell() string {
	if runtime.GOOS == "windows" {
		return "cmd.exe"
	}
	return "sh"
}

func (s *Settings) setShell(value string) (err error) {
	words, err := splitWords(value)
	if err == nil && len(words) == 0 {
		err = errors.New("the shell is empty")
	}
	s.shell = withScriptSwitch(words, runtime.GOOS)
	return err
}

// withScriptSwitch adds the option by which a shell takes a script as its next argument. It is -c, except for the shells of
// Windows, which have other options and may already be given with them.
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
		// After /s, cmd.exe strips the outer quotes and nothing else. /d disables AutoRun.
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

// takesWords reports whether the shell passes the arguments after a script to it, as $0, $1, ...
func takesWords(shell []string) bool {
	switch baseName(shell[0]) {
	case "cmd", "powershell", "pwsh":
		return runtime.GOOS != "windows"
	}
	return true
}

// baseName returns the name of a Windows program in lower case, without directories and .exe.
func baseName(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `:\/`)+1:])
	return strings.TrimSuffix(name, ".exe")
}
