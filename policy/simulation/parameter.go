package simulation

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"retry/policy"
)

// Parameter describes one parameter of a model.
type Parameter struct {
	Name    string
	Default string
	Help    string // one line, without a full stop
}

// A setting is a parameter of the model M and how its value is read.
type setting[M any] struct {
	Parameter
	set func(model *M, value string) error
}

func parameters[M any](settings []setting[M]) []Parameter {
	var list []Parameter
	for _, s := range settings {
		list = append(list, s.Parameter)
	}
	return list
}

// parse reads NAME=VALUE,… into a model that starts with the defaults.
func parse[M any](text string, settings []setting[M]) (model M, err error) {
	for _, s := range settings {
		if err := s.set(&model, s.Default); err != nil {
			panic(fmt.Sprintf("the default %s=%s: %v", s.Name, s.Default, err))
		}
	}
	if text == "" {
		return model, nil
	}
	given := map[string]bool{}
	for _, assignment := range strings.Split(text, ",") {
		name, value, found := strings.Cut(assignment, "=")
		s, err := find(name, settings)
		switch {
		case err != nil:
			return model, err
		case !found || value == "":
			return model, fmt.Errorf("%q has no value; use %s=%s", assignment, name, s.Default)
		case given[name]:
			return model, fmt.Errorf("%s is given twice", name)
		}
		given[name] = true
		if err := s.set(&model, value); err != nil {
			return model, fmt.Errorf("%s: %w", name, err)
		}
	}
	return model, nil
}

func find[M any](name string, settings []setting[M]) (setting[M], error) {
	var names []string
	for _, s := range settings {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return setting[M]{}, fmt.Errorf("unknown parameter %q; use %s", name, strings.Join(names, ", "))
}

// whole reads a whole number from least to most.
func whole(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text, least, most)
	}
	return n, nil
}

// multiple reads a duration that is a multiple of a unit, up to a maximum.
func multiple(text string, unit, most time.Duration) (time.Duration, error) {
	d, err := policy.ParseDuration(text)
	switch {
	case err != nil:
		return 0, err
	case d%unit != 0:
		return 0, fmt.Errorf("%q is not a multiple of %v", text, unit)
	case d > most:
		return 0, fmt.Errorf("%q is more than %s", text, policy.FormatDuration(most))
	}
	return d, nil
}

// yes reads yes or no.
func yes(text string) (bool, error) {
	switch text {
	case "yes":
		return true, nil
	case "no":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither yes nor no", text)
}
