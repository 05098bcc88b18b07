package options

import (
	"fmt"
	"slices"

	"retry/policy"
)

// setReview adds a file of report lines.
func (s *Settings) setReview(value string) error {
	s.Review = append(s.Review, value)
	return nil
}

// takeReview reads a command line with --review, on which files and options can alternate.
func takeReview(words []string) (given []word, err error) {
	for {
		options, rest, err := takeOptions(words)
		if err != nil {
			return nil, err
		}
		given = append(given, options...)
		if len(rest) == 0 {
			return given, nil
		}
		files := rest[:1]
		if end := len(words) - len(rest); end > 0 && words[end-1] == "--" {
			files = rest
		}
		for _, file := range files {
			given = append(given, word{reviewOption(), file})
		}
		words = rest[len(files):]
	}
}

// reviews reports whether --review is among the options.
func reviews(given []word) bool {
	return slices.ContainsFunc(given, func(w word) bool { return w.option.Name == "review" })
}

func reviewOption() *Option {
	table := table()
	return table[slices.IndexFunc(table, func(o *Option) bool { return o.Name == "review" })]
}

// scheduleLimits lists the options of a schedule and its limits, which a review applies to the outages.
var scheduleLimits = []string{"base", "factor", "cap", "backoff", "delay", "delays", "jitter", "max-attempts", "deadline"}

// checkReview rejects options that have no effect on a review, and --since without one.
func (s *Settings) checkReview() error {
	if len(s.Review) == 0 {
		return s.checkEffects(effect{"since", true, "without --review"})
	}
	for _, w := range s.words {
		name := w.option.Name
		if s.given[name] == onCommandLine && !slices.Contains(scheduleLimits, name) &&
			!slices.Contains([]string{"review", "since", "label", "format", "scale"}, name) {
			return usageErrorf("%s has no effect with --review", Dashed(name))
		}
	}
	return nil
}

// Reviewed returns the label to review, or "" for all labels.
func (s *Settings) Reviewed() string {
	if s.given["label"] == onCommandLine {
		return s.Name
	}
	return ""
}

// Proposes reports whether the command line has a schedule or one of its limits.
func (s *Settings) Proposes() bool {
	return slices.ContainsFunc(scheduleLimits, func(name string) bool { return s.given[name] == onCommandLine })
}

// ShownLimited returns the options of the schedule and its limits, as they were given.
func (s *Settings) ShownLimited() string {
	text := s.ShownSchedule()
	if s.MaxAttempts > 0 || s.Deadline == 0 {
		text += fmt.Sprintf(" -n %d", s.MaxAttempts)
	}
	if s.Deadline > 0 {
		text += " --deadline " + policy.FormatDuration(s.Deadline)
	}
	return text
}

// ParseSchedule reads a schedule and its limits from a report line. It ignores RETRY_OPTS.
func ParseSchedule(text string) (*Settings, error) {
	words, err := splitWords(text)
	if err != nil {
		return nil, err
	}
	given, rest, err := takeOptions(words)
	if err != nil {
		return nil, err
	}
	for _, w := range given {
		if !slices.Contains(scheduleLimits, w.option.Name) {
			return nil, usageErrorf("%s is not part of a schedule", Dashed(w.option.Name))
		}
	}
	if len(rest) > 0 {
		return nil, usageErrorf("%q is not part of a schedule", rest[0])
	}
	return newSettings(nil, given, false)
}

// ShownReview returns the command line of a review.
func (s *Settings) ShownReview() string {
	line := "retry --review"
	for i, file := range s.Review {
		if i == 3 {
			line += " ..."
			break
		}
		line += " " + quoted(file)
	}
	if more := s.shown(append([]string{"since", "label"}, scheduleLimits...)); more != "" {
		line += " " + more
	}
	return line
}
