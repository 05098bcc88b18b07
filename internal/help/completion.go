package help

import (
	"fmt"
	"io"

	"retry/completions"
)

// Completion shows the script by which a shell completes the command line.
func Completion(stdout io.Writer, shell string) error {
	script, found := completions.For(shell)
	if !found {
		return fmt.Errorf("--completion: %q is no shell that it knows: write bash, zsh or fish", shell)
	}
	_, err := io.WriteString(stdout, script)
	return err
}
