package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"

	"retry/internal/options"
)

// retry accepts what the migration page tells people to write: the command lines as a whole, and the options in the right column
// of its tables. -D belongs to curl, and -qq stands for two options.
func TestMigrationPage(t *testing.T) {
	text, err := os.ReadFile("docs/migration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			if !strings.HasPrefix(line, "#") {
				checkLine(t, strings.TrimSpace(line))
			}
		}
	}
	quoted, option := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`^--?[a-z-]+`)
	rows := 0
	for _, row := range regexp.MustCompile(`(?m)^\| .* \| (.*) \|$`).FindAllStringSubmatch(string(text), -1) {
		for _, code := range quoted.FindAllStringSubmatch(row[1], -1) {
			rows++
			for _, word := range strings.Fields(code[1]) {
				if word == "--" {
					break // what follows belongs to the command
				}
				name := option.FindString(word)
				if name != "" && name != "-D" && name != "-qq" && !known(name) {
					t.Errorf("there is no %s, in %s", name, row[0])
				}
			}
		}
	}
	if rows < 50 {
		t.Errorf("%d options in the tables", rows)
	}
}

func known(form string) bool {
	return slices.ContainsFunc(options.Table(), func(o *options.Option) bool { return slices.Contains(o.Forms(), form) })
}

// checkLine parses the arguments of retry in a shell command.
func checkLine(t *testing.T, line string) {
	t.Helper()
	_, command, found := strings.Cut(line, "retry ")
	if !found {
		t.Errorf("%s runs no retry", line)
		return
	}
	command, _, _ = strings.Cut(strings.TrimSuffix(command, ")"), " | ")
	words, err := shellwords.Parse(command)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if _, err := options.Parse(words); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}
