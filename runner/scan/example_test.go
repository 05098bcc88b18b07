package scan_test

import (
	"fmt"
	"regexp/syntax"

	"retry/runner/scan"
)

// A match is found even if its line is split over two blocks.
func ExampleMatcher() {
	expression, err := syntax.Parse(`^ready on port [0-9]+$`, syntax.Perl&^syntax.OneLine)
	if err != nil {
		panic(err)
	}
	m, err := scan.New(expression, scan.Room(1))
	if err != nil {
		panic(err)
	}
	m.Scan([]byte("starting\nready on po"))
	fmt.Println(m.Matched())
	m.Scan([]byte("rt 8080\n"))
	m.End()
	fmt.Println(m.Matched())
	// Output:
	// false
	// true
}
