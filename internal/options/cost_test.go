//go:build linux && !race

package options

import (
	"strings"
	"testing"
)

// TestParsingIsCheap counts the allocations between the start of main and that of the run: 16, 100 and 155, most of them in the
// library that parses options.
func TestParsingIsCheap(t *testing.T) {
	t.Setenv("RETRY_OPTS", "")
	for _, test := range []struct {
		line string
		most float64
	}{
		{"-- /bin/true", 18},
		{"-n 5 --timeout 30s curl -fsS http://localhost/", 106},
		{"-n 5 --retry-if 75 --stop-if signal:KILL,SEGV --report report make test", 164},
	} {
		words := strings.Fields(test.line)
		got := testing.AllocsPerRun(100, func() {
			line, err := Parse(words)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := line.Job(); err != nil {
				t.Fatal(err)
			}
		})
		if got > test.most {
			t.Errorf("%s: %v allocations, more than %v", test.line, got, test.most)
		}
	}
}
