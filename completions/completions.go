// Package completions holds the scripts by which bash, zsh and fish complete the command line of retry. Packages install
// the same files that retry --completion prints. They are made from the table of options and the files in testdata; after a
// change of either,
//
//	go test ./completions -run TestGenerated -update
//
// writes them anew.
package completions

import _ "embed"

var (
	//go:embed retry.bash
	bash string
	//go:embed _retry
	zsh string
	//go:embed retry.fish
	fish string
)

// For returns the script for bash, zsh or fish, and nothing for another shell.
func For(shell string) string {
	return map[string]string{"bash": bash, "zsh": zsh, "fish": fish}[shell]
}
