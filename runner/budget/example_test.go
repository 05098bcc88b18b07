package budget_test

import (
	"fmt"
	"os"
	"path/filepath"

	"retry/policy"
	"retry/runner/budget"
)

// Two calls share two tokens, and a success gives one back.
func ExampleStore() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "deploy")
	one, err := budget.Open(path, policy.Budget{Tokens: 2, Refund: 1})
	if err != nil {
		panic(err)
	}
	other, err := budget.Open(path, policy.Budget{Tokens: 2, Refund: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(one.Take())
	fmt.Println(other.Take())
	fmt.Println(one.Take())
	fmt.Println(other.GiveBack())
	fmt.Println(one.Take())
	// Output:
	// true <nil>
	// true <nil>
	// false <nil>
	// <nil>
	// true <nil>
}
