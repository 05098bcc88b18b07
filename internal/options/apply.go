package options

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"
)

// apply sets the given options, as cli parses them.
//
// cli only parses the options that were used, each as --name=value. In its usual role, an App that knows all flags and reads the
// command line itself, start-up took 1.25 times as long, and 17 of 23 test scripts failed. Its bash completion runs the wrapped
// command, so EnableBashCompletion stays off.
func apply(s *Settings, given []word, from origin) error {
	if len(given) == 0 {
		return nil
	}
	s.words = append(s.words, given...)
	arguments := []string{"retry"}
	var used []*Option // cli takes time for every flag that it is given
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

// An assignment is the destination of the parsed values, and of the first error among them.
type assignment struct {
	settings *Settings
	failure  *error
}

// flags returns the options as flags of cli.
func flags(table []*Option, to *assignment) []cli.Flag {
	list := make([]cli.Flag, 0, len(table))
	for _, o := range table {
		list = append(list, &cli.GenericFlag{Name: o.Name, Value: &flagValue{o, to}})
	}
	return list
}

// A flagValue sets one option when cli has parsed it. It records the error itself, because package flag would reword it.
type flagValue struct {
	option *Option
	to     *assignment
}

func (v *flagValue) Set(text string) error {
	err := v.option.assign(v.to.settings, text)
	if *v.to.failure == nil {
		*v.to.failure = err
	}
	return err
}

func (v *flagValue) String() string { return "" }

func (v *flagValue) IsBoolFlag() bool { return v.option.Placeholder == "" }
