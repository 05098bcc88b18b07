package process_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// binary is the path of the real program, built once for the tests of processes and streams, which need more than a
// script can do.
var binary string

func TestMain(m *testing.M) {
	playRole()
	os.Exit(build(m))
}

// playRole turns the test binary into one of the commands that tests need, if it was executed as that.
var playRole = func() {}

// build builds the program, or uses the one that the environment names.
func build(m *testing.M) int {
	if binary = os.Getenv("RETRY_TEST_BINARY"); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "retry-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // a test runs the program as another user
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	binary = filepath.Join(dir, "retry")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	command := exec.Command("go", "build", "-tags", "urfave_cli_no_docs,exactsignals", "-ldflags=-checklinkname=0", "-o", binary, "../..")
	if text, err := command.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, text)
		return 1
	}
	return m.Run()
}

// TestSources makes the program's sources an input of these tests. Go's test cache only considers the files that a test
// itself looks at, and would otherwise reuse results after the program has changed.
func TestSources(t *testing.T) {
	for _, pattern := range []string{"../../*.go", "../../*/*.go", "../../*/*/*.[gs]*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}
