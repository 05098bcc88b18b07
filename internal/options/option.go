package options

import (
	"fmt"
	"slices"
	"strings"
)

// An Option is one row of the table.
type Option struct {
	Name        string // the long form, or the only form
	Short       string // the other form, one letter; empty for none
	Placeholder string // the name of the value in help; empty for a switch
	Optional    bool   // the value may be left out; it is given after a =
	Default     string // the default, as help shows it
	Values      string // the values to choose from, as help shows them, separated by spaces
	kind        string // the kind of value, for error messages; if empty, set checks the value
	Group       string // the heading in help
	Help        string // VALUES is replaced by a list of the values; empty if another row's help covers the option
	Common      bool   // shown by -h too
	Environment bool   // allowed in RETRY_OPTS

	// set reads the value into the settings. It is nil for an option that asks for something other than a run, such as help.
	set func(s *Settings, value string) error
}

// Forms returns the forms of the option, such as -n and --max-attempts.
func (o *Option) Forms() []string {
	if o.Short != "" {
		return []string{Dashed(o.Short), Dashed(o.Name)}
	}
	return []string{Dashed(o.Name)}
}

// Dashed returns the name with its hyphens: one for a letter, otherwise two.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// TakesWord reports whether the next word is the option's value.
func (o *Option) TakesWord() bool { return o.Placeholder != "" && !o.Optional }

// Suggested returns the values to choose from, without optional parameters. A value that ends in a colon needs more text.
func (o *Option) Suggested() []string {
	words := strings.Fields(o.Values)
	for i, word := range words {
		words[i], _, _ = strings.Cut(word, "[")
	}
	return words
}

// Description returns the help text, without the default. Help breaks the line at each newline in it.
func (o *Option) Description() string {
	return strings.Replace(o.Help, "VALUES", listed(o.Values), 1)
}

// Excludes reports whether the two options can't be given together.
func (o *Option) Excludes(other *Option) bool {
	return slices.Contains(exclusive, [2]string{o.Name, other.Name}) || slices.Contains(exclusive, [2]string{other.Name, o.Name})
}

// assign reads the value into the settings. Its error names the option.
func (o *Option) assign(s *Settings, value string) error {
	value = o.completed(value)
	err := o.check(value)
	if err == nil && o.set != nil {
		err = o.set(s, value)
	}
	if err != nil {
		return usageErrorf("%s: %v", Dashed(o.Name), err).hinting(o.hint(value))
	}
	return nil
}

// completed returns the only value that begins with the one given, such as exponential for exp. If there isn't exactly one, it
// returns the value unchanged. A parameter after = or a colon is kept.
func (o *Option) completed(value string) string {
	if o.kind == "" && o.Placeholder != "MODE" && o.Placeholder != "MODEL" {
		return value
	}
	end := strings.IndexAny(value+"=", "=:")
	var found []string
	for _, word := range o.Suggested() {
		if word == value[:end] {
			return value
		}
		if end > 0 && strings.HasPrefix(word, value[:end]) {
			found = append(found, word)
		}
	}
	if len(found) != 1 {
		return value
	}
	return found[0] + value[end:]
}

// check returns an error if the value is not one of those to choose from.
func (o *Option) check(value string) error {
	if o.kind == "" || slices.Contains(o.Suggested(), value) {
		return nil
	}
	return fmt.Errorf("unknown %s %q; use %s", o.kind, value, listed(o.Values))
}

// listed returns the words as a list in a sentence: a, b or c.
func listed(values string) string {
	list := strings.Join(strings.Fields(values), ", ")
	if last := strings.LastIndex(list, ", "); last >= 0 {
		list = list[:last] + " or" + list[last+1:]
	}
	return list
}
