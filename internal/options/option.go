package options

import (
	"fmt"
	"slices"
	"strings"
)

// An Option is one row of the table.
type Option struct {
	Name        string // the long form, or the only one
	Short       string // the other form, one letter; empty for none
	Placeholder string // stands for the value in help; empty for a switch
	Optional    bool   // the value may be left out, and follows a = where it is given
	Default     string // as help shows it
	Values      string // the values to choose from, separated by spaces, each as help shows it; empty for none
	kind        string // what they are, in an error; empty where they are suggestions, or set knows better
	Group       string // the heading that help shows the option under
	Help        string // "VALUES" in it stands for the list of them; empty where another row says it
	Common      bool   // -h shows it
	Environment bool   // RETRY_OPTS may have it

	// set reads the value into the settings. It is nil for an option that asks for something instead of a run.
	set func(s *Settings, value string) error
}

// Forms returns the option as it can be typed: -n and --max-attempts.
func (o *Option) Forms() []string {
	if o.Short != "" {
		return []string{Dashed(o.Short), Dashed(o.Name)}
	}
	return []string{Dashed(o.Name)}
}

// Dashed returns the name of an option as it is typed, behind one hyphen or two.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// TakesWord reports whether the next word is the option's value.
func (o *Option) TakesWord() bool { return o.Placeholder != "" && !o.Optional }

// Suggested returns the words of Values, without the parameters that some may have. More follows one that ends in a colon.
func (o *Option) Suggested() []string {
	words := strings.Fields(o.Values)
	for i, word := range words {
		words[i], _, _ = strings.Cut(word, "[")
	}
	return words
}

// Description returns the help, without the default. It is one line, unless help is to break it at a certain place.
func (o *Option) Description() string {
	return strings.Replace(o.Help, "VALUES", listed(o.Values), 1)
}

// Excludes reports whether the two options can't be given together.
func (o *Option) Excludes(other *Option) bool {
	return slices.Contains(exclusive, [2]string{o.Name, other.Name}) || slices.Contains(exclusive, [2]string{other.Name, o.Name})
}

// check finds a value that is none of those to choose from.
func (o *Option) check(value string) error {
	if o.kind == "" || slices.Contains(o.Suggested(), value) {
		return nil
	}
	return fmt.Errorf("%q is no %s: write %s", value, o.kind, listed(o.Values))
}

// listed is a list of words as a sentence has it: a, b or c.
func listed(values string) string {
	list := strings.Join(strings.Fields(values), ", ")
	if last := strings.LastIndex(list, ", "); last >= 0 {
		list = list[:last] + " or" + list[last+1:]
	}
	return list
}
