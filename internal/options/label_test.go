//go:build unix

package options

import (
	"os"
	"strings"
	"testing"
)

// A call is named after what it runs, and never after an argument that may be a secret.
func TestDisplayName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"deploy.sh", "x.py"} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"":                                   "''",
		"/usr/bin/curl -u a:b":               "curl",
		"TOKEN=secret curl":                  "TOKEN=...",
		"sh deploy.sh secret":                "deploy.sh",
		"bash -eu -o pipefail ./deploy.sh":   "deploy.sh",
		"bash gone.sh -c secret":             "bash",
		"sh -c make|test":                    "make",
		"bash -eo pipefail -c ./deploy.sh;x": "deploy.sh",
		"bash -c -e make":                    "make",
		"sh -c TOKEN=secret":                 "sh",
		"sh -c $SECRET":                      "sh",
		"sh -c cd|make":                      "sh",
		"sh":                                 "sh",
		"/usr/bin/python3.12 -u x.py secret": "x.py",
		"python3 -m pip secret":              "pip",
		"python3 -c secret":                  "python3",
		"node --token secret x.py":           "node",
		"node x.py":                          "x.py",
		"perl -e secret":                     "perl",
		"perl -m secret":                     "perl",
		"shred deploy.sh":                    "shred",
	} {
		command := strings.Fields(line)
		if line == "" {
			command = []string{""}
		}
		if got := displayName(command); got != want {
			t.Errorf("%s is called %s, want %s", line, got, want)
		}
	}
}
