package options

import (
	"slices"

	"retry/runner/process"
)

// command returns the argument vector: for -c that of the shell, otherwise the words as they are. A single word that is not an
// executable is split.
func (s *Settings) command(words []string) ([]string, error) {
	switch {
	case s.Given("c") && len(words) > 0 && !takesWords(s.shell):
		return nil, usageErrorf("%s takes no arguments after -c STRING", baseName(s.shell[0]))
	case s.Given("c"):
		return append(append(slices.Clone(s.shell), s.script), words...), nil
	case len(words) == 0:
		return nil, usageErrorf("no command given").
			hinting("use retry [options] [--] COMMAND [ARG...]; see retry -h")
	case len(words) == 1 && !process.Executable(words[0]):
		return splitCommand(words[0])
	}
	return words, nil
}

// byShell returns the argument vector by which the shell runs a script, or nil if there is no script.
func (s *Settings) byShell(script string) []string {
	if script == "" {
		return nil
	}
	return append(slices.Clone(s.shell), script)
}
