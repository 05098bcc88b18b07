//go:build unix

package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"retry/internal/options"
)

var update = flag.Bool("update", false, "write the generated parts of the manual anew")

const (
	manual          = "man/retry.1"
	transientManual = "man/retry-transient.7"
)

func readManual(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns the text of the manual under a heading.
func section(t *testing.T, name string) string {
	t.Helper()
	_, text, found := strings.Cut(readManual(t), "\n.Sh "+name+"\n")
	if !found {
		t.Fatalf("%s has no section %s", manual, name)
	}
	text, _, _ = strings.Cut(text, "\n.Sh ")
	return text
}

// The manual has the options of the table, in the same order, with their values and defaults, and no others.
func TestManualShowsTheTable(t *testing.T) {
	var got, want []string
	title, at := "", -1
	standard := regexp.MustCompile(`^The default is (.*)\.$`)
	for line := range strings.Lines(section(t, "OPTIONS")) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, ".Ss "); ok {
			title = heading
		}
		if item, ok := strings.CutPrefix(line, ".It "); ok {
			got = append(got, title+"|"+item+"|")
			at++
		}
		if found := standard.FindStringSubmatch(line); found != nil && at >= 0 {
			got[at] += found[1]
		}
	}
	for _, o := range options.Table() {
		var forms []string
		for _, form := range o.Forms() {
			form = "Fl " + form[1:]
			switch {
			case o.Optional:
				form += " Ns Op = Ns Ar " + o.Placeholder
			case o.Placeholder != "":
				form += " Ar " + o.Placeholder
			}
			forms = append(forms, form)
		}
		want = append(want, o.Group+"|"+strings.Join(forms, " , ")+"|"+o.Default)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the manual shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// mandoc finds no faults in the manuals, apart from other manuals that are not installed, and from EXAMPLES, which comes earlier
// than usual because readers want it first. The expressions in retry-transient(7) make lines of any length.
func TestManualIsSound(t *testing.T) {
	if _, err := exec.LookPath("mandoc"); err != nil {
		t.Skip("mandoc is not installed")
	}
	out, _ := exec.Command("mandoc", "-T", "lint", "-W", "style", manual).Output() // its exit status reflects every message
	more, _ := exec.Command("mandoc", "-T", "lint", "-W", "warning", transientManual).Output()
	out = append(out, more...)
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "referenced manual not found") && !strings.Contains(line, "out of conventional order: Sh ENVIRONMENT") {
			t.Error(strings.TrimSpace(line))
		}
	}
	page, err := exec.Command("mandoc", "-T", "utf8", manual).Output()
	if err != nil || len(page) < 10000 {
		t.Errorf("the page has %d bytes: %v", len(page), err)
	}
}

// Every example of the manual runs successfully, with stand-ins for what a test can't have.
func TestManualExamples(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "done") }))
	defer server.Close()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for name, script := range map[string]string{
		"docker": "exit 0", "ssh": "exit 0", "make": "exit 0", "git": "exit 0", "pg_isready": "exit 0", "pg_dump": "echo orders",
		"./deliver": "exit 0", "./upload": `test "$(cat)" = orders`, "./flaky": "test $RETRY_ATTEMPT != 3",
	} {
		path := filepath.Join(bin, name)
		if strings.HasPrefix(name, "./") {
			path = filepath.Join(dir, name)
		}
		write(t, path, "#!/bin/sh\n"+script+"\n", 0o755)
	}
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\(dq`, `"`, `\e`, `\`)
	ran := 0
	for line := range strings.Lines(section(t, "EXAMPLES")) {
		example, ok := strings.CutPrefix(line, ".Dl ")
		if !ok {
			continue
		}
		ran++
		command := plain.Replace(strings.TrimSpace(example))
		t.Run(command, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, "https://example.com", server.URL))
			c.Dir = dir
			c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_STATE_HOME=")
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if ran < 10 {
		t.Errorf("%d examples", ran)
	}
}
