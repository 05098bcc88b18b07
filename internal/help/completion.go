package help

import (
	"io"

	"retry/completions"
)

// Completion prints the completion script for bash, zsh, fish or PowerShell.
func Completion(stdout io.Writer, shell string) error {
	_, err := io.WriteString(stdout, completions.For(shell))
	return err
}
