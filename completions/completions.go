// Package completions holds the completion scripts for bash, zsh, fish and PowerShell. They are embedded, so that retry --completion
// prints the same files that packages install. A test generates them from the table of options and the templates in testdata.
// After a change of either, update them with
//
//	go test ./completions -run TestGenerated -update
package completions

import _ "embed"

var (
	//go:embed retry.bash
	bash string
	//go:embed _retry
	zsh string
	//go:embed retry.fish
	fish string
	//go:embed retry.ps1
	powerShell string
)

// For returns the script for bash, zsh, fish or powershell, and "" for any other shell.
func For(shell string) string {
	return map[string]string{"bash": bash, "zsh": zsh, "fish": fish, "powershell": powerShell}[shell]
}
