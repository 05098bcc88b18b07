package options

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"
)

// A Line is a command line, taken apart.
type Line struct {
	Settings *Settings
	Command  []string // the words behind the options

	Asked string // the option that asks for something instead of a run: h, help, completion or version
	Value string // its value
}

// word is one option as given, under its table name.
type word struct {
	option *Option
	value  string
}

// table is the table of options, for a call that has some.
var table = sync.OnceValue(Table)

// Parse reads RETRY_OPTS and the command line, without the program's name.
func Parse(words []string) (*Line, error) {
	given, command, err := takeOptions(words)
	if err != nil {
		return nil, err
	}
	for _, w := range given {
		switch w.option.Name {
		case "h", "help", "version", "completion":
			return &Line{Asked: w.option.Name, Value: w.value}, nil
		}
	}
	preset, err := environmentOptions()
	if err == nil && len(preset) > 0 {
		err = apply(defaults(), preset, inEnvironment) // a mistake is one even in what is overridden
	}
	if err != nil {
		return nil, fromEnvironment(err)
	}
	bare := len(command) == 0 && !slices.ContainsFunc(given, func(w word) bool { return w.option.Name == "c" })
	s, err := settle(preset, given, bare)
	return &Line{Settings: s, Command: command}, err
}

// settle makes the settings of the presets and of what was given on the command line. A preset gives way where it
// would make a sound command line bad usage.
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

// newSettings sets and checks.
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

// environmentOptions are the options of RETRY_OPTS.
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
		return nil, badUsage("", "only options can stand there")
	}
	for _, w := range given {
		if !w.option.Environment {
			return nil, badUsage("it takes options of the schedule, the limits and what retry says",
				"%s can't be set for every call", Dashed(w.option.Name))
		}
	}
	return given, nil
}

func fromEnvironment(err error) error {
	hint := ""
	if usage, ok := err.(*UsageError); ok {
		hint = usage.Hint
	}
	return badUsage(hint, "RETRY_OPTS: %v", err)
}

// withoutOverridden leaves out the presets that what was given on the command line repeats, excludes or overrides.
func withoutOverridden(preset, given []word) []word {
	gone := map[string]bool{}
	for _, w := range given {
		gone[w.option.Name] = true
		for _, pair := range exclusive {
			if w.option.Name == pair[0] {
				gone[pair[1]] = true
			}
			if w.option.Name == pair[1] {
				gone[pair[0]] = true
			}
		}
		for _, name := range overriding[w.option.Name] {
			gone[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(preset), func(w word) bool { return gone[w.option.Name] })
}

// takeOptions reads options up to the first word that is none, or to --, as getopt does: -n 3, -n3, --name value,
// --name=value, and switches of one letter together. Each comes back under its one table name, because the parser
// that reads them next refuses an option that is given once by each of its names.
func takeOptions(words []string) (given []word, rest []string, err error) {
	for len(words) > 0 {
		text := words[0]
		if text == "--" {
			return given, words[1:], nil
		}
		if len(text) < 2 || text[0] != '-' {
			break
		}
		words = words[1:]
		var cluster []word
		if text[1] == '-' {
			cluster, err = takeLong(text[2:])
		} else {
			cluster, err = takeShort(text)
		}
		if err != nil {
			return nil, nil, err
		}
		last := &cluster[len(cluster)-1]
		if last.value == missing {
			if len(words) == 0 {
				return nil, nil, badUsage("", "%s needs a value: %s", Dashed(last.option.Name), last.option.Placeholder)
			}
			last.value, words = words[0], words[1:]
		}
		given = append(given, cluster...)
	}
	return given, words, nil
}

// missing marks an option whose value is the next word. No word can hold a NUL.
const missing = "\x00"

func takeLong(text string) ([]word, error) {
	table := table()
	name, value, attached := strings.Cut(text, "=")
	i := slices.IndexFunc(table, func(o *Option) bool { return o.Name == name && len(name) > 1 })
	if i < 0 {
		return nil, unknown(table, "--"+name, name)
	}
	switch {
	case table[i].Placeholder == "" && attached:
		return nil, badUsage("", "--%s takes no value", name)
	case table[i].Placeholder != "" && !attached && !table[i].Optional:
		value = missing
	}
	return []word{{table[i], value}}, nil
}

func takeShort(text string) ([]word, error) {
	table := table()
	var cluster []word
	for letters := text[1:]; letters != ""; {
		letter := letters[:1]
		letters = letters[1:]
		i := slices.IndexFunc(table, func(o *Option) bool { return o.Name == letter || o.Short == letter })
		switch {
		case i < 0 && letter == "=" && len(cluster) > 0:
			return nil, badUsage("", "%s takes no value", text[:strings.IndexByte(text, '=')])
		case i < 0:
			return nil, unknown(table, "-"+letter, text[1:])
		case table[i].Placeholder == "":
			cluster = append(cluster, word{table[i], ""})
		case letters == "":
			return append(cluster, word{table[i], missing}), nil
		default:
			return append(cluster, word{table[i], letters}), nil
		}
	}
	return cluster, nil
}

// foreign are options of other retry programs whose meaning differs among them.
var foreign = map[string]string{
	"-t": "-n N sets the number of attempts, --timeout D the time for one",
	"-d": "--delay D sets a constant delay, --deadline D the time for everything",
}

// unknown is the error for an option that there is not, with the one that is most like what was meant.
func unknown(table []*Option, text, meant string) error {
	hint := foreign[text]
	for _, o := range table {
		if name, _, _ := strings.Cut(meant, "="); hint == "" && (o.Name == name || o.Short == name) && name != "" {
			hint = "did you mean " + Dashed(name) + "?"
		}
	}
	if hint == "" && len(meant) > 2 {
		hint = "did you mean " + cli.SuggestFlag(flags(table, nil), meant, true) + "?"
	}
	return badUsage(hint, "unknown option %s", text)
}

// apply has the options parsed and set.
func apply(s *Settings, given []word, from origin) error {
	if len(given) == 0 {
		return nil
	}
	s.words = append(s.words, given...)
	arguments := []string{"retry"}
	var used []*Option // the parser takes its time for every flag that it knows
	for _, w := range given {
		if !slices.Contains(used, w.option) {
			used = append(used, w.option)
		}
		argument := "--" + w.option.Name
		if w.option.Placeholder != "" {
			argument += "=" + w.value
		}
		arguments = append(arguments, argument)
		s.given[w.option.Name] = from
	}
	var failure error
	app := &cli.App{
		Name:                      "retry",
		Flags:                     flags(used, &assignment{s, &failure}),
		HideHelp:                  true,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return err },
		Action:                    func(*cli.Context) error { return nil },
	}
	if err := app.Run(arguments); failure == nil {
		failure = err
	}
	return failure
}

// assignment is where parsed values go, and the first error among them.
type assignment struct {
	settings *Settings
	failure  *error
}

// flags is the table as cli wants it.
func flags(table []*Option, to *assignment) []cli.Flag {
	list := make([]cli.Flag, 0, len(table))
	for _, o := range table {
		list = append(list, &cli.GenericFlag{Name: o.Name, Value: &flagValue{o, to}})
	}
	return list
}

// flagValue sets one option. It keeps the error, which package flag would wrap in words of its own.
type flagValue struct {
	option *Option
	to     *assignment
}

func (v *flagValue) Set(text string) error {
	err := v.option.set(v.to.settings, text)
	if err != nil && *v.to.failure == nil {
		*v.to.failure = badUsage("", "%s: %v", Dashed(v.option.Name), err)
	}
	return err
}

func (v *flagValue) String() string { return "" }

func (v *flagValue) IsBoolFlag() bool { return v.option.Placeholder == "" }
