package options

import (
	"slices"
	"strings"
)

// ShownSchedule is the options of the schedule as they were given, to call it by; "the default schedule" if there were
// none.
func (s *Settings) ShownSchedule() string {
	shown := s.shown([]string{"base", "factor", "cap", "backoff", "delay", "delays", "jitter"})
	if shown == "" {
		return "the default schedule"
	}
	return shown
}

// ShownLine is the command line of an answer without the options that have no part in it, and without the command,
// whose arguments may hold secrets.
func (s *Settings) ShownLine() string {
	shown := s.shown([]string{
		"plan", "simulate", "base", "factor", "cap", "backoff", "delay", "delays", "jitter", "seed", "stagger",
		"max-attempts", "timeout", "deadline", "kill-after", "budget", "at", "aim", "format", "scale",
	})
	return "retry " + shown
}

// shown is those options of a list that were given, with the value that counts.
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

// quoted is a value as a shell reads it.
func quoted(value string) string {
	if value != "" && !strings.ContainsAny(value, " \t\n'\"\\$`;&|<>()*?[]{}~#!") {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
