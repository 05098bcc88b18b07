package options

import (
	"slices"
	"strings"
	"testing"

	"retry/completions"
)

// Every word that is offered as a value is one, and a mode has some.
func TestSuggestedValues(t *testing.T) {
	for _, o := range Table() {
		words := o.Suggested()
		if len(words) == 0 && slices.Contains([]string{"MODE", "FORM", "SIG", "SHELL", "MODEL", "RULE"}, o.Placeholder) {
			t.Errorf("no value of %s is offered", Dashed(o.Name))
		}
		for _, word := range words {
			err := o.set(defaults(), strings.Replace(word, ":", ":1", 1))
			if _, found := completions.For(word); o.Name == "completion" && !found {
				t.Errorf("there is no completion for %s", word)
			}
			if err != nil && word != "signal:" && word != "http:" {
				t.Errorf("%s %s is offered: %v", Dashed(o.Name), word, err)
			}
		}
	}
}
