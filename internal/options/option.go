package options

import "strings"

// An Option is one row of the table.
type Option struct {
	Name        string // the long form, or the only one
	Short       string // the other form, one letter; empty for none
	Placeholder string // names the value; empty for a switch
	Optional    bool   // the value may be left out, and follows a = where it is given
	Default     string // as help shows it
	Values      string // words that can be the value, separated by spaces; more follows one that ends in a colon
	Group       string // the heading that help shows it under
	Help        string
	Common      bool // -h shows it
	Environment bool // RETRY_OPTS may have it
	set         func(s *Settings, value string) error
}

// Forms returns the option as it can be typed: -n and --max-attempts.
func (o *Option) Forms() []string {
	if o.Short != "" {
		return []string{Dashed(o.Short), Dashed(o.Name)}
	}
	return []string{Dashed(o.Name)}
}

// Suggested returns the words of Values.
func (o *Option) Suggested() []string { return strings.Fields(o.Values) }

// TakesWord reports whether the next word is the option's value.
func (o *Option) TakesWord() bool { return o.Placeholder != "" && !o.Optional }

// Excludes reports whether the two options can't be given together.
func (o *Option) Excludes(other *Option) bool {
	for _, pair := range exclusive {
		if pair == [2]string{o.Name, other.Name} || pair == [2]string{other.Name, o.Name} {
			return true
		}
	}
	return false
}

// Dashed returns a name as it is typed, behind one hyphen or two.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
