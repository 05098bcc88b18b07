package options

import (
	"slices"
	"strings"
)

// ShownSchedule returns the options of the schedule as they were given, or "the default schedule" if there were none.
func (s *Settings) ShownSchedule() string {
	shown := s.shown([]string{"base", "factor", "cap", "backoff", "delay", "delays", "jitter"})
	if shown == "" {
		return "the default schedule"
	}
	return shown
}

// ShownLine returns the command line of an answer, without options that don't affect it, and without the command, whose
// arguments may contain secrets.
func (s *Settings) ShownLine() string {
	shown := s.shown([]string{
		"plan", "simulate", "base", "factor", "cap", "backoff", "delay", "delays", "jitter", "seed", "stagger",
		"max-attempts", "timeout", "deadline", "kill-after", "budget", "at", "aim", "format", "scale",
	})
	return "retry " + shown
}

// shown returns the options of a list that were given, with the values that count.
func (s *Settings) shown(names []string) string {
	var list []string
	for _, name := range names {
		for _, w := range slices.Backward(s.words) {
			if w.option.Name != name {
				continue
			}
			list = append(list, Dashed(name))
			if w.option.Placeholder != "" {
				list = append(list, quoted(w.value))
			}
			break
		}
	}
	return strings.Join(list, " ")
}

// quoted returns a value, quoted for a shell if necessary.
func quoted(value string) string {
	if value != "" && !strings.ContainsAny(value, " \t\n'\"\\$`;&|<>()*?[]{}~#!") {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
