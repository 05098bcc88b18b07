package options

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"retry/policy"
	"retry/runner/process"
)

// NotFoundHint returns what was probably meant by a command that wasn't found, or "" if nothing is likely. It contains no
// argument of the command, and no value of a variable.
func (l *Line) NotFoundHint(command []string) string {
	name := command[0]
	s := l.Settings
	for _, dash := range []string{"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212"} {
		if strings.HasPrefix(name, dash) {
			return "the command begins with a typographic dash (" + dash + "); options begin with a hyphen (-)"
		}
	}
	variable, _, assigned := strings.Cut(name, "=")
	switch {
	case name == "!":
		return "use --until-failure to run a command until it fails"
	case assigned && isName(variable):
		return "use env to set a variable: retry env " + variable + "=... COMMAND"
	case isNumber(name) && s.OnCommandLine("delays"):
		return "--delays takes one list with commas: --delays 1,2,4"
	case isNumber(name):
		return "did you mean -n " + name + "?"
	case s.OnCommandLine("o") && len(command) > 1 && process.Executable(command[1]):
		return "-o takes no file; redirect the output of retry: retry -o COMMAND >FILE"
	case slices.Contains(reserved, name), slices.Contains(builtins(), name):
		return name + " is part of the shell; use retry -c 'STRING' to run it with a shell"
	case runtime.GOOS != "windows" && name != "" && !s.OnCommandLine("c") && isFunction(name):
		return "retry can't run functions and aliases of your shell; for a function, use export -f " + name +
			" and retry --shell bash -c " + name
	}
	return ""
}

// isNumber reports whether the text is a number or a duration.
func isNumber(text string) bool {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return true
	}
	_, err := policy.ParseDuration(text)
	return err == nil
}

// isFunction reports whether the text can be the name of a function in bash.
func isFunction(text string) bool {
	return text[:1] != "-" && isName(strings.ReplaceAll(text, "-", "_"))
}

// builtins returns the names of commands that exist only in a shell.
func builtins() []string {
	if runtime.GOOS == "windows" {
		return strings.Fields("assoc call cd chdir copy del dir echo erase for if md mkdir mklink move rd rem ren rename rmdir set start type ver vol")
	}
	return strings.Fields(". : alias bg builtin cd command declare eval exec exit export fg hash history jobs let local popd pushd " +
		"read return set shift shopt source times trap type typeset ulimit umask unalias unset wait")
}
