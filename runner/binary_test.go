package runner_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the real program, built once for the tests of package runner that need more than a script can do.
var binary string

func TestMain(m *testing.M) {
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "retry-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "retry")
	command := exec.Command("go", "build", "-tags", "urfave_cli_no_docs,exactsignals", "-ldflags=-checklinkname=0", "-o", binary, "..")
	if text, err := command.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, text)
		return 1
	}
	return m.Run()
}
