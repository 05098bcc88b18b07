package options

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// displayName returns the name of a command in retry's lines, if there is no --label: the base name of its program. For a shell
// or another interpreter it is the base name of the script, or the first command of a string for the shell, so that calls can
// be told apart. No other argument is shown, because it may be a secret.
func displayName(command []string) string {
	program := command[0]
	if program == "" {
		return "''"
	}
	if variable, _, assigned := strings.Cut(program, "="); assigned && isName(variable) {
		return variable + "=..." // an assignment meant for a shell; its value may be a secret
	}
	name := filepath.Base(program)
	if script := scriptName(name, command[1:]); script != "" {
		name = script
	}
	return printable(name)
}

// interpreters lists programs that run the file named by their first argument after the options. The first ones are shells.
var interpreters = [...]string{
	"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "python", "perl", "ruby", "node", "nodejs", "php", "lua", "tclsh",
	"Rscript", "deno", "bun", "pwsh", "powershell",
}

// shells is the number of shells in interpreters, which take a string of commands after -c.
const shells = 8

// scriptName returns the name of the script that an interpreter runs, or "" if it can't be found out.
func scriptName(interpreter string, arguments []string) string {
	interpreter = strings.TrimSuffix(interpreter, ".exe")
	kind := slices.Index(interpreters[:], strings.TrimRight(interpreter, "0123456789."))
	if kind < 0 {
		return ""
	}
	shell := kind < shells
	for i, argument := range arguments {
		cluster := len(argument) > 1 && (argument[0] == '-' || argument[0] == '+') && !strings.HasPrefix(argument, "--")
		switch {
		case shell && cluster && strings.Contains(argument, "c"):
			return commandName(arguments[i+1:])
		case interpreters[kind] == "python" && argument == "-m" && i+1 < len(arguments) && plainName(arguments[i+1]):
			return arguments[i+1] // a Python module
		case argument == "-c" || argument == "-e":
			return ""
		case strings.HasPrefix(argument, "-") || strings.HasPrefix(argument, "+") || i > 0 && takesOption(arguments[i-1]):
		case isFile(argument):
			return filepath.Base(argument)
		default:
			return ""
		}
	}
	return ""
}

// commandName returns the name of the first command in the string after a shell's options, if it is a plain word. It returns ""
// for a builtin such as cd, which says nothing about what the string does.
func commandName(arguments []string) string {
	for i, argument := range arguments {
		if strings.HasPrefix(argument, "-") || strings.HasPrefix(argument, "+") || i > 0 && takesOption(arguments[i-1]) {
			continue
		}
		first := strings.FieldsFunc(argument+" ", func(r rune) bool { return strings.ContainsRune(" \t\n;|&", r) })
		if len(first) == 0 || !plainName(first[0]) {
			return ""
		}
		name := path.Base(first[0])
		if slices.Contains(reserved, name) || slices.Contains(builtins(), name) || slices.Contains(strings.Fields(common), name) {
			return ""
		}
		return name
	}
	return ""
}

// common lists commands that often come first in a script and say nothing about what it does.
const common = "echo printf test [ [[ true false sleep kill env time"

// takesOption reports whether an option of a shell takes the next argument, as -o and -eo do.
func takesOption(argument string) bool {
	return strings.HasPrefix(argument, "-") && strings.HasSuffix(argument, "o") && !strings.HasPrefix(argument, "--")
}

// plainName reports whether a word is the name or the path of a program, without anything that a shell would expand.
func plainName(word string) bool {
	for _, r := range word {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("._/+-", r) && !(runtime.GOOS == "windows" && strings.ContainsRune(`\:`, r)) {
			return false
		}
	}
	return word != "" && word[0] != '-' && word[len(word)-1] != '/'
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
