package policy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// categories are what the words promise, apart from those of an HTTP status.
var categories = map[string]Trouble{
	"name resolution":    {Transient: true, Unsent: true},
	"connection refused": {Transient: true, Unsent: true},
	"no connection":      {Transient: true, Unsent: true},
	"connection lost":    {Transient: true},
	"time-out":           {Transient: true},
	"TLS handshake":      {Transient: true},
	"throttling":         {Transient: true},
	"server trouble":     {Transient: true},
	"network trouble":    {Transient: true},

	"bad URL": {}, "unsupported protocol": {}, "bad usage": {}, "bad certificate": {}, "bad host key": {},
	"wrong checksum": {}, "bad credentials": {}, "access denied": {}, "not found": {},
}

// wanted is the trouble that a category names.
func wanted(t testing.TB, category string) Trouble {
	if number, ok := strings.CutPrefix(category, "HTTP "); ok {
		status, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := HTTPTrouble(status)
		return want
	}
	want, ok := categories[category]
	if !ok {
		t.Fatalf("no category %q", category)
	}
	want.Category = category
	return want
}

func TestMeanings(t *testing.T) {
	for m := unknown + 1; m < byHTTP; m++ {
		got, ok := m.trouble()
		if want := wanted(t, meanings[m].Category); !ok || got != want {
			t.Errorf("%+v, %v, want %+v", got, ok, want)
		}
	}
}

func TestLineTrouble(t *testing.T) {
	trigger := regexp.MustCompile(TroubleTrigger().String())
	decided := make([]int, len(troubles))
	for category, lines := range troubleExamples {
		want := wanted(t, category)
		for line := range strings.Lines(lines) {
			tool, line, ok := strings.Cut(strings.Trim(line, "\n"), "| ")
			if !ok {
				continue
			}
			row, got, ok := decide(line)
			if !ok || got != want {
				t.Errorf("%q: %+v, %v, want %+v", line, got, ok, want)
				continue
			}
			if again, ok := LineTrouble([]byte(line)); !ok || again != want {
				t.Errorf("%q: %+v, %v at the second look", line, again, ok)
			}
			if tool = strings.TrimSpace(tool); !slices.Contains(strings.Split(troubles[row].tool, ", "), tool) {
				t.Errorf("%q of %s is taken for one of %s", line, tool, troubles[row].tool)
			}
			if !trigger.MatchString(line) {
				t.Errorf("%q does not match the trigger", line)
			}
			decided[row]++
		}
	}
	for i, n := range decided {
		if n == 0 {
			t.Errorf("no example is decided by row %d of %s: %q %q", i, troubles[i].tool, troubles[i].text, troubles[i].pattern)
		}
	}
}

// A row names its tool and its source, and has a number to read where a number decides.
func TestTroubleRows(t *testing.T) {
	for i, row := range TroubleRows() {
		if row.Tool == "" || len(row.Text) < 5 || row.Meaning == "" || row.Source == "" {
			t.Errorf("row %d lacks something: %+v", i, row)
		}
		numbered := strings.Contains(troubles[i].pattern, `([45]\d\d)`) || strings.Contains(troubles[i].pattern, `(\d{1,3})`)
		if byNumber := row.Category == ""; byNumber != numbered {
			t.Errorf("row %d means %s by the pattern %q", i, row.Meaning, troubles[i].pattern)
		}
		expression, err := regexp.Compile(troubles[i].pattern)
		if err != nil {
			t.Error(err)
		} else if groups := expression.NumSubexp(); groups > 1 || (groups == 1) != numbered {
			t.Errorf("%q has %d groups", troubles[i].pattern, groups)
		}
	}
}

func TestInnocentLines(t *testing.T) {
	for line := range strings.Lines(innocentLines) {
		line = strings.Trim(line, "\n")
		if got, ok := LineTrouble([]byte(line)); ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

func TestHTTPTrouble(t *testing.T) {
	for status := 100; status <= 599; status++ {
		transient := status >= 500 && status != 501 && status != 505 || slices.Contains([]int{408, 425, 429}, status)
		want := Trouble{"HTTP " + strconv.Itoa(status), transient, status == 429, status}
		if status < 400 {
			want = Trouble{}
		}
		if got, ok := HTTPTrouble(status); got != want || ok != (status >= 400) {
			t.Errorf("%d: %+v, %v", status, got, ok)
		}
	}
	for _, status := range []int{-1, 0, 99, 600, 999} {
		if got, ok := HTTPTrouble(status); ok || got != (Trouble{}) {
			t.Errorf("%d: %+v", status, got)
		}
	}
}

func TestStatusTrouble(t *testing.T) {
	want := map[string]map[string][]int{
		"curl": {
			"name resolution": {5, 6}, "no connection": {7}, "time-out": {12, 28}, "TLS handshake": {35},
			"connection lost": {16, 18, 52, 55, 56, 92, 95, 96},
			"bad URL":         {3}, "unsupported protocol": {1, 4}, "bad usage": {2}, "access denied": {9, 69},
			"bad certificate": {51, 58, 60, 77, 82, 83, 90, 91, 98}, "bad credentials": {67}, "not found": {68, 78},
		},
		"wget": {"bad usage": {2}, "network trouble": {4}, "bad certificate": {5}, "bad credentials": {6}},
	}
	for command, categories := range want {
		recognised := map[int]Trouble{}
		for category, statuses := range categories {
			for _, status := range statuses {
				recognised[status] = wanted(t, category)
			}
		}
		for status := -1; status <= 300; status++ {
			for _, name := range []string{command, command + ".exe", strings.ToUpper(command) + ".EXE"} {
				if got, ok := StatusTrouble(name, status); got != recognised[status] || ok != (got != Trouble{}) {
					t.Errorf("%s %d: %+v, %v, want %+v", name, status, got, ok, recognised[status])
				}
			}
			if got, ok := StatusTrouble("git", status); ok {
				t.Errorf("git %d: %+v", status, got)
			}
		}
	}
}

// What curl says and the status it exits with mean the same.
func TestCurlLine(t *testing.T) {
	for status := range 1000 {
		got, ok := LineTrouble([]byte("curl: (" + strconv.Itoa(status) + ") words"))
		want, wantOK := StatusTrouble("curl", status)
		if got != want || ok != wantOK {
			t.Errorf("%d: %+v, %v, want %+v, %v", status, got, ok, want, wantOK)
		}
	}
}

// Any line can come. One that is recognised is one that the trigger finds.
func FuzzLineTrouble(f *testing.F) {
	for _, lines := range troubleExamples {
		for line := range strings.Lines(lines) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte("curl: (99999999999999999999)"))
	f.Add([]byte("\xff\xfe An error occurred (\x00"))
	trigger := regexp.MustCompile(TroubleTrigger().String())
	f.Fuzz(func(t *testing.T, line []byte) {
		got, ok := LineTrouble(line)
		if !ok {
			if got != (Trouble{}) {
				t.Errorf("%q is not recognised, but %+v", line, got)
			}
			return
		}
		if got != wanted(t, got.Category) {
			t.Errorf("%q: %+v", line, got)
		}
		if !trigger.Match(line) {
			t.Errorf("%q is recognised, but does not match the trigger", line)
		}
	})
}
