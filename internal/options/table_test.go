//go:build unix

package options

import (
	"slices"
	"strings"
	"testing"

	"retry/completions"
)

// Every suggested value is accepted, and every mode has values.
func TestSuggestedValues(t *testing.T) {
	for _, o := range Table() {
		words := o.Suggested()
		if len(words) == 0 && slices.Contains([]string{"MODE", "FORM", "SIG", "SHELL", "MODEL", "RULE"}, o.Placeholder) {
			t.Errorf("no value of %s is offered", Dashed(o.Name))
		}
		for _, suggested := range words {
			if suggested == "signal:" || suggested == "http:" {
				continue // these need something that exists
			}
			value := strings.Replace(suggested, ":", ":1", 1)
			if err := o.assign(defaults(), value); err != nil {
				t.Errorf("%s %s is offered: %v", Dashed(o.Name), suggested, err)
			}
			if o.Name == "completion" && completions.For(suggested) == "" {
				t.Errorf("there is no completion for %s", suggested)
			}
		}
	}
}

// Any other value is rejected, and the error lists the valid ones.
func TestOtherValuesAreRefused(t *testing.T) {
	for _, o := range Table() {
		if o.kind == "" && o.Name != "jitter" && o.Name != "simulate" {
			continue // any value is valid, or another error lists the valid ones
		}
		err := o.assign(defaults(), "nonsense")
		if err == nil {
			t.Errorf("%s takes nonsense", Dashed(o.Name))
			continue
		}
		_, list, _ := strings.Cut(err.Error(), "use ")
		list = strings.NewReplacer(" or ", " ", ",", "").Replace(list)
		if want := strings.Join(o.Suggested(), " "); list != want {
			t.Errorf("%s takes %s, and says %q", Dashed(o.Name), want, err)
		}
	}
}

// The lists of values in the help come from the table.
func TestHelpNamesValues(t *testing.T) {
	for _, o := range Table() {
		if strings.Contains(o.Help, "VALUES") != (o.kind != "" || o.Name == "jitter") {
			t.Errorf("%s: %s", Dashed(o.Name), o.Help)
		}
	}
}
