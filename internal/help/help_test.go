package help

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"retry/internal/options"
)

// --help shows every option of the table, and nothing else.
func TestHelpShowsTheTable(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	if err := Print(&page, false); err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^  (?:-(\w), )? *--?([\w-]+)(\[=[A-Z]+\]| [A-Z]\S*)?(?:  +(\S.*)|$)`)
	group := regexp.MustCompile(`^(\S.*):$`)
	var got, want []string
	title := ""
	for line := range strings.Lines(page.String()) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
		if found := group.FindStringSubmatch(line); found != nil {
			title = found[1]
		}
		if found := row.FindStringSubmatch(line); found != nil {
			got = append(got, fmt.Sprint(title, "|", found[1], "|", found[2], "|", strings.TrimSpace(found[3]), "|", found[4]))
		} else if more := strings.TrimLeft(line, " "); len(line)-len(more) > 16 {
			got[len(got)-1] += " " + more
		}
	}
	for _, o := range options.Table() {
		if o.Name == "h" {
			continue // it is in the row of --help
		}
		text := strings.ReplaceAll(o.Description(), "\n", " ")
		if o.Default != "" {
			text += " (" + o.Default + ")"
		}
		value := o.Placeholder
		if o.Optional {
			value = "[=" + value + "]"
		}
		want = append(want, fmt.Sprint(o.Group, "|", o.Short, "|", o.Name, "|", value, "|", text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("--help shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
