package help

import (
	"io"

	"retry/completions"
)

// Completion shows the script by which the shell, one of those that --completion takes, completes the command line.
func Completion(stdout io.Writer, shell string) error {
	_, err := io.WriteString(stdout, completions.For(shell))
	return err
}
