package policy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every row has a meaning, and texts that can occur in a line in lower case.
func TestTable(t *testing.T) {
	rowName := regexp.MustCompile(`^[a-z]+/[a-z0-9-]+$`)
	for _, family := range table {
		for _, r := range family {
			if !rowName.MatchString(r.name) || r.source == "" || len(r.says)+len(r.matches) == 0 {
				t.Errorf("row %q lacks something", r.name)
			}
			for _, text := range r.says {
				if len(text) < 5 || text != strings.ToLower(text) {
					t.Errorf("%s: %q is too short, or not in lower case", r.name, text)
				}
			}
			for _, expression := range r.matches {
				compiled, err := regexp.Compile(expression)
				if err != nil {
					t.Errorf("%s: %v", r.name, err)
					continue
				}
				if groups := compiled.NumSubexp(); groups > 1 || (groups == 1) != (r.means == byHTTP || r.means == byCurl) {
					t.Errorf("%s: %q has %d groups", r.name, expression, groups)
				}
				if r.means != byHTTP && len(needle(expression)) < 2 {
					t.Errorf("%s: %q has no needle", r.name, expression)
				}
			}
		}
	}
}

// A needle is a substring of every match.
func TestNeedle(t *testing.T) {
	for expression, want := range map[string]string{
		`abc`:                     "abc",
		`\bforbidden\b`:           "forbidden",
		`a(?:longer one)?bcd`:     "bcd",
		`abcd?e`:                  "abc",
		`xy{2,3}z`:                "x",
		`[abc]de\.fg|`:            "de.fg",
		`ab.*cde$`:                "cde",
		`ab.cde`:                  "cde",
		`\(invalid[a-z.]*\)`:      "(invalid",
		`^\d{4} \S+ ([45]\d\d)\b`: " ",
	} {
		if got := needle(expression); got != want {
			t.Errorf("%q: %q, want %q", expression, got, want)
		}
	}
}

func TestMeanings(t *testing.T) {
	seen := map[string]bool{}
	for m := silent + 1; m < byHTTP; m++ {
		f, ok := m.failure(0)
		if !ok || f.Category == "" || seen[f.Category] || f.Unsent && !f.Transient {
			t.Errorf("%d: %+v, %v", m, f, ok)
		}
		seen[f.Category] = true
	}
}

// Messages of tools are judged correctly: whether they are worth retrying, and never as certainly unprocessed unless they
// are.
func TestExamples(t *testing.T) {
	for category, lines := range failureExamples {
		want := worth(t, category)
		for line := range strings.Lines(lines) {
			_, line, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "| ")
			if !ok {
				continue
			}
			got := diagnose(Diagnostics{Failures: true}, "E "+line).Failure
			if got.Category == "" || got.Transient != want.Transient || got.Unsent && !want.Unsent {
				t.Errorf("%q is taken for %+v, not for %s", line, got, category)
			}
		}
	}
}

// worth returns a failure of the category.
func worth(t *testing.T, category string) Failure {
	if number, ok := strings.CutPrefix(category, "HTTP "); ok {
		status, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := HTTPFailure(status)
		return f
	}
	for _, f := range meanings {
		if f.Category == category {
			return f
		}
	}
	t.Fatalf("no category %q", category)
	return Failure{}
}

// A line that mentions failures without reporting one must not end retrying.
func TestInnocentLines(t *testing.T) {
	for line := range strings.Lines(innocentLines) {
		line = strings.TrimSuffix(line, "\n")
		if got := diagnose(Diagnostics{Failures: true}, "E "+line).Failure; got.Category != "" && !got.Transient {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

func TestHTTPFailure(t *testing.T) {
	for status := 100; status <= 599; status++ {
		want := Failure{}
		if status >= 400 {
			transient := status >= 500 && !slices.Contains([]int{501, 505, 510, 511}, status) || slices.Contains([]int{408, 425, 429}, status)
			want = Failure{"HTTP " + strconv.Itoa(status), "http/response", transient, status == 429, status == 429, status}
		}
		if got, ok := HTTPFailure(status); got != want || ok != (status >= 400) {
			t.Errorf("%d: %+v, %v", status, got, ok)
		}
	}
	for _, status := range []int{-1, 0, 99, 600, 999} {
		if got, ok := HTTPFailure(status); ok || got != (Failure{}) {
			t.Errorf("%d: %+v", status, got)
		}
	}
}

// Only numbers that servers use count as an HTTP status.
func TestIsStatus(t *testing.T) {
	const message = "E got HTTP error "
	for _, status := range []int{400, 431, 451, 494, 511, 520, 530, 598, 599} {
		if got := diagnose(everything(), message+strconv.Itoa(status)); got.HTTP != status {
			t.Errorf("%d: %+v", status, got)
		}
	}
	for _, number := range []int{399, 432, 450, 452, 493, 512, 519, 531, 597, 600, 4040} {
		if got := diagnose(everything(), message+strconv.Itoa(number)); got != (Diagnosis{}) {
			t.Errorf("%d: %+v", number, got)
		}
	}
}

func TestStatusFailure(t *testing.T) {
	for _, test := range []struct {
		command  string
		status   int
		category string
	}{
		{"curl", 6, "name resolution"}, {"curl", 7, "no connection"}, {"curl", 22, ""}, {"curl", 47, "too many redirects"},
		{"CURL.EXE", 28, "time-out"}, {"curl", 999, ""}, {"curl", -1, ""},
		{"wget", 4, "network trouble"}, {"wget", 8, ""}, {"wget", 6, "bad credentials"},
		{"aria2c", 24, "bad credentials"}, {"rsync", 30, "time-out"}, {"timeout", 124, "time-out"}, {"s3cmd", 77, "access denied"},
		{"git", 6, ""}, {"date", 75, "temporary failure"},
	} {
		got, ok := StatusFailure(test.command, test.status)
		if got.Category != test.category || ok != (test.category != "") {
			t.Errorf("%s %d: %+v, %v, want %q", test.command, test.status, got, ok, test.category)
		}
	}
}

// curl's messages and exit statuses mean the same.
func TestCurlLine(t *testing.T) {
	for status := range 100 {
		got := diagnose(Diagnostics{Failures: true}, "E curl: ("+strconv.Itoa(status)+") words").Failure
		want, _ := StatusFailure("curl", status)
		if status == 75 {
			want = Failure{} // of curl's own, and not EX_TEMPFAIL
		}
		if got.Category != want.Category {
			t.Errorf("%d: %+v, want %+v", status, got, want)
		}
	}
}
