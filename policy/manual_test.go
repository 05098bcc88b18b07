package policy

import (
	"flag"
	"fmt"

	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is made from the tables into the manual")

const (
	transientManual = "../man/retry-transient.7"
	fromTables      = ".\\\" What follows is made from the tables of package policy: go test ./policy -run TestManual -update\n"
	endTables       = ".\\\" End of what is made from the tables.\n"
)

// retry-transient(7) lists every row of the table with its texts and its source.
func TestManual(t *testing.T) {
	data, err := os.ReadFile(transientManual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), fromTables)
	_, after, ended := strings.Cut(rest, endTables)
	if !found || !ended {
		t.Fatal("the manual has no place for the tables")
	}
	want := before + fromTables + categoriesPage() + rowsPage() + statusesPage() + endTables + after
	if *update {
		if err := os.WriteFile(transientManual, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(data) != want {
		t.Errorf("%s is not up to date: go test ./policy -run TestManual -update", transientManual)
	}
}

// categoriesPage lists the categories by whether they are retried.
func categoriesPage() string {
	lists := map[string][]string{}
	for m := silent + 1; m < byHTTP; m++ {
		kind := "Not retried"
		switch f := meanings[m]; {
		case f.Unsent:
			kind = "Retried, certainly not processed"
		case f.Transient:
			kind = "Retried"
		}
		lists[kind] = append(lists[kind], meanings[m].Category)
	}
	page := ".Sh CATEGORIES\n.Bl -tag -width Ds\n"
	for _, kind := range []string{"Retried, certainly not processed", "Retried", "Not retried"} {
		page += ".It " + kind + "\n" + wrapped(strings.Join(lists[kind], ", "))
	}
	return page + ".El\n"
}

// rowsPage lists the table in the order in which it is tried.
func rowsPage() string {
	page := ".Sh MESSAGES\nThe rows are tried in this order, and the first one that matches decides what a\nline means.\n" +
		"Quoted text is searched for literally; the rest are regular expressions in RE2\nsyntax.\n.Bl -tag -width Ds\n"
	for _, family := range table {
		for _, r := range family {
			page += ".It Sy " + strings.ReplaceAll(r.name, "/", "/\\:") + " , " + r.becomes() + "\n"
			if r.weak {
				page += "Counts only if no line reports a cause.\n"
			}
			var texts []string
			for _, text := range r.says {
				texts = append(texts, `\(lq`+roff(text)+`\(rq`)
			}
			for _, expression := range r.matches {
				texts = append(texts, roff(expression))
			}
			page += wrapped(strings.Join(texts, ", ")) + ".br\nSource:\n" + wrapped(roff(r.source)+".")
		}
	}
	return page + ".El\n"
}

// becomes says what a row stands for.
func (r *row) becomes() string {
	switch {
	case r.means == byHTTP:
		return "by the HTTP status"
	case r.means == byCurl:
		return "by the exit status of curl"
	case r.means == silent:
		return "nothing"
	}
	f, _ := r.means.failure(0)
	if f.Transient {
		return f.Category + ": retried"
	}
	return f.Category + ": not retried"
}

// statusesPage lists the exit statuses that tools document.
func statusesPage() string {
	page := ".Sh EXIT STATUSES\nIf the output tells nothing, the exit status of these commands decides.\n" +
		"75, EX_TEMPFAIL, is a temporary failure of any command.\n.Bl -tag -width Ds\n"
	for _, tool := range statusTable {
		by := map[string][]string{}
		for _, s := range tool.statuses {
			f, _ := s.meaning.failure(0)
			by[f.Category] = append(by[f.Category], strconv.Itoa(s.status))
		}
		var parts []string
		for _, category := range slices.Sorted(maps.Keys(by)) {
			parts = append(parts, category+" "+strings.Join(by[category], " "))
		}
		page += fmt.Sprintf(".It %s\n%s.br\nSource: %s.\n", strings.ReplaceAll(tool.tools, " ", ", "),
			wrapped(strings.Join(parts, "; ")), roff(tool.source))
	}
	return page + ".El\n"
}

// roff escapes a text for the formatter.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "'", `\(aq`, "`", `\(ga`, "-", `\-`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

// wrapped breaks a text into lines of about 80 bytes, none of which looks like a request.
func wrapped(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+len(word) > 78 {
			b.WriteByte('\n')
			column = 0
		}
		if column == 0 && strings.HasPrefix(word, ".") {
			word = `\&` + word
		} else if column > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		column += len(word) + 1
	}
	return b.String() + "\n"
}
