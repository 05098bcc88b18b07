package options

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"retry/policy"
	"retry/policy/simulation"
	"retry/runner"
	"retry/runner/signals"
)

// The functions below return setters for the table. The first ones are for a type of value and take the field to set; the
// others are for a single option.

func flag(field func(*Settings) *bool) func(*Settings, string) error {
	return func(s *Settings, _ string) error {
		*field(s) = true
		return nil
	}
}

func text(field func(*Settings) *string) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		*field(s) = value
		return nil
	}
}

func duration(field func(*Settings) *time.Duration) func(*Settings, string) error {
	return func(s *Settings, value string) (err error) {
		*field(s), err = policy.ParseDuration(value)
		return err
	}
}

// count returns a setter that reads a whole number not less than least.
func count(least int, field func(*Settings) *int) func(*Settings, string) error {
	return func(s *Settings, value string) (err error) {
		*field(s), err = wholeNumber(value, least)
		return err
	}
}

// wholeNumber reads a whole number between least and the largest int.
func wholeNumber(value string, least int) (int, error) {
	n, err := strconv.Atoi(value)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is too large", value)
	case err != nil:
		return 0, fmt.Errorf("%q is not a whole number", value)
	case n < least:
		return 0, fmt.Errorf("%q is less than %d", value, least)
	}
	return n, nil
}

// script returns a setter that reads a command for the shell.
func script(field func(*Settings) *string) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("the command is empty")
		}
		*field(s) = value
		return nil
	}
}

// holding returns a setter that reads which attempts' output is let through. The stream is 0 for standard output and 1 for
// standard error.
func holding(stream int) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		s.Hold[stream] = map[string]runner.Holding{"live": runner.Live, "success": runner.Success, "last": runner.Last}[value]
		return nil
	}
}

func (s *Settings) setStdin(value string) error {
	s.Stdin = map[string]runner.Input{"inherit": runner.Inherit, "replay": runner.Replay, "none": runner.Nothing}[value]
	return nil
}

func (s *Settings) setTTY(value string) error {
	if value == "always" && runtime.GOOS == "windows" {
		return fmt.Errorf("always is not supported on Windows, where a watched stream is a pipe")
	}
	s.TTY = map[string]runner.TTY{"auto": runner.AutoTTY, "always": runner.AlwaysTTY, "never": runner.NeverTTY}[value]
	return nil
}

func (s *Settings) setSeed(value string) (err error) {
	s.Seed, err = strconv.ParseUint(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number from 0 to %d", value, uint64(math.MaxUint64))
	}
	return nil
}

func (s *Settings) setSignal(value string) error {
	signal, ok := signals.ByName(value)
	if !ok && runtime.GOOS == "windows" {
		return fmt.Errorf("unknown signal %q; use TERM, INT or BREAK, which all send CTRL_BREAK, or KILL", value)
	}
	if !ok {
		return fmt.Errorf("unknown signal %q; use TERM, INT or a number", value)
	}
	s.Signal = signal
	return nil
}

// models lists the models of --simulate, and help.
const models = "outage contention help"

// setSimulate reads MODEL or MODEL:PARAMETERS.
func (s *Settings) setSimulate(value string) (err error) {
	model, parameters, _ := strings.Cut(value, ":")
	switch model {
	case "outage":
		s.Outage, err = simulation.ParseOutage(parameters)
	case "contention":
		s.Contention, err = simulation.ParseContention(parameters)
	case "help":
	default:
		return fmt.Errorf("unknown model %q; use %s", model, listed(models))
	}
	s.Simulate = model
	return err
}

func (s *Settings) setScale(value string) error {
	s.Logarithmic = value == "log"
	return nil
}

// file returns a setter that reads the name of a file.
func file(field func(*Settings) *string) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		if value == "" {
			return fmt.Errorf("the file name is empty")
		}
		*field(s) = value
		return nil
	}
}

// setRewind adds a file, which must be a regular one if it exists.
func (s *Settings) setRewind(value string) error {
	if value == "" {
		return errors.New("the file name is empty")
	}
	info, err := os.Stat(value)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", value)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.Rewind = append(s.Rewind, value)
	return nil
}

func (s *Settings) setLabel(value string) error {
	if value == "" {
		return errors.New("the label is empty")
	}
	if printable(value) != value {
		return fmt.Errorf("%q has unprintable characters", value)
	}
	s.Name = value
	return nil
}
