//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// standIns are the programs of the README's examples that a test can't have for real.
var standIns = map[string]string{
	"docker": "exit 0", "ssh": "exit 0", "make": "exit 0", "git": "exit 0", "pg_dump": "echo orders",
	"aws": "exit 0", "jq": "exit 0", "./deliver": "exit 0", "./upload": `test "$(cat)" = orders`,
}

// TestReadme runs every command that the README tells a reader to run, in a copy of the project, and wants each to
// succeed. The test command itself is what runs this.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }))
	defer server.Close()
	dir := copyOfProject(t)
	caches := goCaches(t)
	bin := filepath.Join(dir, "bin")
	for name, script := range standIns {
		path := filepath.Join(bin, name)
		if strings.HasPrefix(name, "./") {
			path = filepath.Join(dir, name)
		}
		write(t, path, "#!/bin/sh\n"+script+"\n", 0o755)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("the README has %d blocks of commands", len(blocks))
	}
	for _, block := range blocks {
		if strings.HasPrefix(block[1], "#!") {
			continue // TestTokens runs these
		}
		for _, command := range commands(block[1]) {
			if command == "go test ./..." {
				continue
			}
			t.Run(command, func(t *testing.T) {
				c := exec.CommandContext(t.Context(), "bash", "-c", strings.ReplaceAll(command, "https://example.com", server.URL))
				c.Dir = dir
				c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_STATE_HOME=", "GOFLAGS=-buildvcs=false")
				c.Env = append(c.Env, caches...)
				if out, err := c.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
	installed := filepath.Join(dir, ".local", "bin", "retry")
	if out, err := exec.Command(installed, "--version").CombinedOutput(); err != nil {
		t.Errorf("the installed program: %v\n%s", err, out)
	}
}

// commands splits a block into its commands: lines, but for a loop, which is one.
func commands(block string) []string {
	if strings.HasPrefix(block, "for ") {
		return []string{block}
	}
	return strings.Split(strings.TrimSpace(block), "\n")
}

// goCaches is the environment that names Go's caches, which otherwise follow the home directory.
func goCaches(t *testing.T) (environ []string) {
	t.Helper()
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		environ = append(environ, name+"="+strings.TrimSpace(string(value)))
	}
	return environ
}

// copyOfProject copies what Go needs to build it, so that nothing is written into the checkout.
func copyOfProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if slices.Contains([]string{".go", ".s", ".mod", ".sum"}, filepath.Ext(path)) || filepath.Dir(path) == "completions" {
			text, err := os.ReadFile(path)
			write(t, filepath.Join(dir, path), string(text), 0o644)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
