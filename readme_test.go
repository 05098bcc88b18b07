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
	"syscall"
	"testing"

	"retry/internal/options"
)

// TestGeneratedOptions compares the README's table of options with the option table, or writes it.
func TestGeneratedOptions(t *testing.T) {
	const begin, end = "<!-- options -->\n", "<!-- end of the options -->"
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the README has no table of options")
	}
	generated(t, "README.md", before+begin+optionsTable()+end+after)
}

// optionsTable returns a table with a line for each option that help describes.
func optionsTable() string {
	var table strings.Builder
	table.WriteString("| option | what it does | default |\n| --- | --- | --- |\n")
	for _, o := range options.Table() {
		if o.Help == "" {
			continue
		}
		var forms []string
		for _, form := range o.Forms() {
			switch {
			case o.Optional:
				form += "[=" + o.Placeholder + "]"
			case o.Placeholder != "":
				form += " " + o.Placeholder
			}
			forms = append(forms, "`"+form+"`")
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n",
			strings.Join(forms, ", "), strings.ReplaceAll(o.Description(), "\n", " "), o.Default)
	}
	return table.String()
}

// standIns replaces the programs in the README's examples that a test can't run for real.
var standIns = map[string]string{
	"docker": "exit 0", "ssh": "exit 0", "make": "exit 0", "git": "exit 0", "pg_dump": "echo orders", "pg_isready": "exit 0",
	"aws": "exit 0", "jq": "exit 0", "./deliver": "exit 0", "./upload": `test "$(cat)" = orders`,
}

// TestReadme runs every command that the README, the page about budgets and the page about verdicts show, in a copy of the
// project. Each must succeed.
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
	for _, page := range []string{"README.md", "docs/budgets.md", "docs/verdicts.md"} {
		for _, command := range pageCommands(t, page) {
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

// TestPagesNameOptions finds options in the text of pages that don't exist.
func TestPagesNameOptions(t *testing.T) {
	for _, page := range []string{"README.md", "docs/schedule.md", "docs/verdicts.md", "docs/budgets.md", "docs/forecasts.md",
		"docs/processes.md", "docs/review.md", "SECURITY.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile("`(--?[a-z][a-z-]*)[^`\n]*`").FindAllStringSubmatch(string(text), -1)
		for _, name := range named {
			if !known(name[1]) {
				t.Errorf("%s: there is no %s", page, name[1])
			}
		}
		if len(named) == 0 {
			t.Errorf("%s names no options", page)
		}
	}
}

// TestLinks finds broken links between the pages.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "SECURITY.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(string(text), -1) {
			path, anchor, _ := strings.Cut(link[1], "#")
			target, err := os.ReadFile(filepath.Join(filepath.Dir(page), path))
			if path == "" {
				target, err = text, nil
			}
			if err != nil || anchor != "" && !slices.Contains(anchors(string(target)), anchor) {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			}
		}
	}
}

// anchors returns the anchors of a page's headings.
func anchors(text string) (names []string) {
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		names = append(names, strings.ReplaceAll(plain, " ", "-"))
	}
	return names
}

// pageCommands returns the lines of a page's blocks of commands, except for whole scripts, which TestTokens runs.
func pageCommands(t *testing.T, page string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if !strings.HasPrefix(block[1], "#!") {
			commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
		}
	}
	if len(commands) < 3 {
		t.Fatalf("%s has %d commands", page, len(commands))
	}
	return commands
}

// goCaches returns environment variables with the paths of Go's caches, which otherwise depend on the home directory.
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

// copyOfProject copies what Go needs to build the project, so that nothing is written into the checkout.
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
	// No child of another test may inherit the file while it is open, because running it would then fail with ETXTBSY.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
