package answer

import (
	"fmt"
	"io"
	"os"

	"retry/internal/options"
	"retry/policy"
)

// explain prints how --transient would judge a saved log, and which of its lines decide.
func explain(stdout io.Writer, s *options.Settings) error {
	log, err := readLog(s.Explain)
	if err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	e := policy.Explain(log)
	if _, err := io.WriteString(stdout, e.String()); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// readLog reads a file, or standard input for -.
func readLog(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}
