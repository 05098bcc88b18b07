package options

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	migrationRow = regexp.MustCompile(`(?m)^\| (.*) \| (.*) \|$`)
	codeInRow    = regexp.MustCompile("`([^`]+)`")
	optionInCode = regexp.MustCompile(`(?:^| )(--?[A-Za-z][a-z-]*)`)
)

// optionsIn returns the options in the code of a table cell.
func optionsIn(cell string) (list []string) {
	for _, code := range codeInRow.FindAllStringSubmatch(cell, -1) {
		command, _, _ := strings.Cut(code[1], " -- ")
		for _, found := range optionInCode.FindAllStringSubmatch(command, -1) {
			list = append(list, strings.TrimSuffix(found[1], "-"))
		}
	}
	return list
}

// For each option on the page about other programs there is a hint that names what the page recommends, and each name with a hint
// is on the page. -qq stands for two options.
func TestForeignNames(t *testing.T) {
	page, err := os.ReadFile("../../docs/migration.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, row := range migrationRow.FindAllStringSubmatch(string(page), -1) {
		for _, there := range optionsIn(row[1]) {
			name := strings.TrimLeft(there, "-")
			explained[name] = true
			if slices.ContainsFunc(Table(), func(o *Option) bool { return o.Name == name || o.Short == name }) || there == "-qq" {
				continue // it has another meaning here, so there is no error
			}
			if abroad(name) == "" && !strings.HasPrefix(name, "stop-if") {
				t.Errorf("there is no hint for %s, in %s", there, row[0])
			}
			named := func(here string) bool { return strings.Contains(abroad(name), here) }
			if here := optionsIn(row[2]); len(here) > 0 && abroad(name) != "" && !slices.ContainsFunc(here, named) {
				t.Errorf("the hint for %s names none of the options in %s", there, row[0])
			}
		}
	}
	for _, row := range foreign {
		for _, name := range strings.Fields(row.names) {
			if !explained[name] {
				t.Errorf("docs/migration.md doesn't tell of %s", Dashed(name))
			}
		}
		for _, here := range optionInCode.FindAllStringSubmatch(row.use, -1) {
			if name := strings.TrimLeft(here[1], "-"); !slices.ContainsFunc(Table(), func(o *Option) bool { return o.Name == name || o.Short == name }) {
				t.Errorf("the hint for %s names %s, which there isn't", row.names, here[1])
			}
		}
	}
}

// A name that is not similar enough gets no hint.
func TestSimilar(t *testing.T) {
	for name, want := range map[string]string{
		"bse": "base", "max-attempt": "max-attempts", "retryif": "retry-if", "idle": "idle-timeout", "dealine": "deadline",
		"no-quiet": "", "foo": "", "bar": "", "frobnicate": "", "run": "", "test": "", "file": "",
	} {
		if got := similar(Table(), name); got != want {
			t.Errorf("%s is similar to %q, want %q", name, got, want)
		}
	}
}
