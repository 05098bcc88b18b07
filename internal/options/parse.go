package options

import (
	"os"
	"slices"
)

// A Line is a parsed command line.
type Line struct {
	Settings *Settings
	Command  []string // the arguments after the options

	Asked string // h, help, completion or version if that option was given instead of a run; otherwise empty
	Value string // the value of that option
}

// Parse reads RETRY_OPTS and the arguments of retry. Its errors report bad usage.
func Parse(words []string) (*Line, error) {
	given, command, err := takeOptions(words)
	if err == nil && reviews(given) {
		given, err = takeReview(words)
		command = nil
	}
	if err != nil {
		return nil, err
	}
	for _, w := range given {
		if w.option.set == nil {
			return &Line{Asked: w.option.Name, Value: w.option.completed(w.value)}, w.option.assign(nil, w.value)
		}
	}
	preset, err := environmentOptions()
	if err == nil && len(preset) > 0 {
		err = apply(defaults(), preset, inEnvironment) // options must be valid even if they are overridden
	}
	if err != nil {
		return nil, fromEnvironment(err)
	}
	bare := len(command) == 0 && !slices.ContainsFunc(given, func(w word) bool { return w.option.Name == "c" })
	s, err := settle(preset, given, bare)
	return &Line{Settings: s, Command: command}, err
}

// settle returns the settings of the options in RETRY_OPTS (preset) and on the command line (given). If the command line is
// valid on its own but not together with RETRY_OPTS, it leaves out one preset, or all of them.
func settle(preset, given []word, bare bool) (*Settings, error) {
	s, err := newSettings(withoutOverridden(preset, given), given, bare)
	if err == nil || len(preset) == 0 {
		return s, err
	}
	own, err := newSettings(nil, given, bare)
	if err != nil {
		return nil, err
	}
	if _, err := newSettings(preset, nil, false); err != nil {
		return nil, fromEnvironment(err)
	}
	for _, w := range preset {
		others := slices.DeleteFunc(slices.Clone(preset), func(other word) bool { return other.option == w.option })
		if s, err := newSettings(withoutOverridden(others, given), given, bare); err == nil {
			return s, nil
		}
	}
	return own, nil
}

// newSettings sets and checks the options.
func newSettings(preset, given []word, bare bool) (*Settings, error) {
	s := defaults()
	s.bare = bare
	for _, from := range []struct {
		words  []word
		origin origin
	}{{preset, inEnvironment}, {given, onCommandLine}} {
		if err := apply(s, from.words, from.origin); err != nil {
			return nil, err
		}
	}
	return s, s.check()
}

// environmentOptions returns the options of RETRY_OPTS.
func environmentOptions() ([]word, error) {
	value := os.Getenv("RETRY_OPTS")
	if value == "" {
		return nil, nil
	}
	words, err := splitWords(value)
	if err != nil {
		return nil, err
	}
	given, rest, err := takeOptions(words)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 || slices.Contains(words, "--") {
		return nil, usageErrorf("only options are allowed")
	}
	for _, w := range given {
		if !w.option.Environment {
			return nil, usageErrorf("%s is not allowed here", Dashed(w.option.Name)).
				hinting("only options that don't depend on the command are allowed: the schedule, the limits, and what retry prints")
		}
	}
	return given, nil
}

// fromEnvironment adds to the error that it is in RETRY_OPTS.
func fromEnvironment(err error) error {
	wrapped := usageErrorf("RETRY_OPTS: %v", err)
	if usage, ok := err.(*UsageError); ok {
		wrapped.Hint = usage.Hint
	}
	return wrapped
}

// withoutOverridden returns the presets that no option on the command line repeats, excludes or overrides.
func withoutOverridden(preset, given []word) []word {
	gone := func(p word) bool {
		return slices.ContainsFunc(given, func(w word) bool {
			return w.option == p.option || w.option.Excludes(p.option) || slices.Contains(overriding[w.option.Name], p.option.Name)
		})
	}
	return slices.DeleteFunc(slices.Clone(preset), gone)
}
