//go:build unix

package completions

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// completionCases maps lines to all of their completions. Only the test's own file and command match, whatever the machine has.
var completionCases = []struct{ line, want string }{
	{"retry --jit", "--jitter"},
	{"retry -q --rep", "--report --report-argv"},
	{"retry -n 3 --std", "--stderr --stdin --stdout"},
	{"retry -n3 --max-attempts=3 --scal", "--scale"},
	{"retry -qn 3 --completi", "--completion"},

	{"retry --backoff ", "constant exponential fibonacci linear"},
	{"retry --backoff=", "constant exponential fibonacci linear"},
	{"retry --jitter ", "additive decorrelated equal full none normal proportional"},
	{"retry --jitter=d", "decorrelated"},
	{"retry --stdin ", "inherit none replay"},
	{"retry --stdout ", "last live success"},
	{"retry --stderr ", "last live"},
	{"retry --format ", "csv json svg text"},
	{"retry --scale ", "linear log"},
	{"retry --signal ", "HUP INT KILL QUIT TERM USR1 USR2"},
	{"retry --simulate ", "contention help outage"},
	{"retry --simulate=out", "outage"},
	{"retry --transient=", "unsent"},
	{"retry --completion ", "bash fish powershell zsh"},
	{"retry --shell b", "bash"},
	{"retry --success-if ", "code: http: output: signal: stderr: stdout: timeout"},
	{"retry --retry-if st", "stderr: stdout:"},
	{"retry --stop-if=ti", "timeout"},
	{"retry --base ", ""},
	{"retry --label retry-test-", ""},

	{"retry --report retry-test-", "retry-test-file"},
	{"retry --report=retry-test-", "retry-test-file"},

	{"retry retry-test-", "retry-test-command"},
	{"retry -qq -n 3 --transient -- retry-test-", "retry-test-command"},
	{"retry --jitter=none --delay 1 -- retry-test-", "retry-test-command"},
	{"retry -c retry-test-", "retry-test-command"},
	{"retry -qc retry-test-", "retry-test-command"},
	{"retry --judge retry-test-", "retry-test-command"},
	{"retry --before-retry=retry-test-", "retry-test-command"},

	{"retry -c true retry-test-", "retry-test-file"},
	{"retry -c true -- retry-test-", "retry-test-file"},
}

// ownCases lists what the command's own completion offers. Without its package, bash offers files for all of them.
var ownCases = []struct{ line, want string }{
	{"retry -n 3 retry-test-command --o", "--other --own"},
	{"retry --label a=b:c --report=x=y -- retry-test-command --o", "--other --own"},
	{"retry --transient -- retry-test-command retry-test-", ""},
	{"retry retry-test-command --jit", ""},
	{"retry -- retry --jit", "--jitter"},
}

// shells lists the ways to complete lines in a directory.
var shells = map[string]func(t *testing.T, dir string, lines []string) map[string][]string{
	"bash":                  completeBash,
	"bash with its package": completeBashPackage,
	"zsh":                   completeZsh,
	"fish":                  completeFish,
}

func TestCompletions(t *testing.T) {
	for name, complete := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[string]string{}
			for _, c := range completionCases {
				want[c.line] = c.want
			}
			for _, c := range ownCases {
				want[c.line] = c.want
				if name == "bash" {
					want[c.line] = map[bool]string{true: "retry-test-file"}[strings.HasSuffix(c.line, " retry-test-")]
				}
			}
			got := complete(t, completionFolder(t), slices.Collect(maps.Keys(want)))
			for line, words := range want {
				if strings.Join(got[line], " ") != words {
					t.Errorf("%s: %q, want %q", line, got[line], words)
				}
			}
		})
	}
}

// hostileLines would run retry-test-command, which creates a file, if any part of the line were executed.
var hostileLines = []string{
	"retry --label $(retry-test-command) --jit",
	"retry --label `retry-test-command` --report ",
	"retry --label \"$(retry-test-command)\" -- foo `retry-test-command` ",
	"retry --report $(retry-test-command)/x",
	"retry --report \"$(retry-test-command)/x",
	"retry --report `retry-test-command`/x",
	"retry --report=$(retry-test-command)/x",
	"retry --report=<(retry-test-command)/x",
	"retry --report ${(e)x:-$(retry-test-command)}/x",
	"retry --report $[$(retry-test-command)]/x",
	"retry --report (retry-test-command)/x",
	"retry --jitter $(retry-test-command)/x",
	"retry --jitter=$(retry-test-command)",
	"retry -c $(retry-test-command)/x",
	"retry -c x $(retry-test-command)/x",
	"retry --judge `retry-test-command`/x",
	"retry --judge=(retry-test-command)/x",
	"retry $(retry-test-command)/x",
	"retry (retry-test-command)/x",
	"retry $(retry-test-command) ",
	"retry `retry-test-command` x",
	"retry (retry-test-command) x",
	"retry -- ls $(retry-test-command)/x",
	"retry retry $(retry-test-command)/x",
	"retry retry --label $(retry-test-command) (retry-test-command)/x",
	"retry --label 'x' \"`retry-test-command`\" y",
}

func TestCompletionsRunNothing(t *testing.T) {
	for name, complete := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := func(lines ...string) bool {
				dir := completionFolder(t)
				got := complete(t, dir, lines)
				for _, line := range lines {
					if got[line] == nil {
						t.Errorf("%s was not completed", line)
					}
				}
				_, err := os.Stat(filepath.Join(dir, "ran"))
				return err == nil
			}
			if !ran(hostileLines...) {
				return
			}
			for _, line := range hostileLines {
				if ran(line) {
					t.Errorf("the completion of %s ran it", line)
				}
			}
			t.Error("a completion ran something")
		})
	}
}

// completionFolder returns a directory with the completions, a file, and a command that leaves a trace if it is run.
func completionFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "completions"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "retry-test-file"), "", 0o644)
	write(t, filepath.Join(dir, "bin", "retry-test-command"), "#!/bin/sh\n>'"+filepath.Join(dir, "ran")+"'\n", 0o755)
	return dir
}

// inShell runs a shell in the directory, and returns what the driver prints: a line after "> ", and its completions.
func inShell(t *testing.T, dir, input string, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skip(words[0] + " is not installed")
	}
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "HOME="+dir, "TERM=xterm",
		"XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "ZDOTDIR="+dir)
	c.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", c, err, out, stderr.String())
	}
	return string(out)
}

// completed reads what a driver prints. Some shells repeat the option before its value, or append a slash to a directory.
func completed(output string) map[string][]string {
	got := map[string][]string{}
	line := ""
	for text := range strings.Lines(output) {
		text = strings.TrimSuffix(text, "\n")
		if next, ok := strings.CutPrefix(text, "> "); ok {
			line = next
			got[line] = []string{}
			continue
		}
		word, _, _ := strings.Cut(text, "\t")
		if option, value, ok := strings.Cut(word, "="); ok && strings.HasSuffix(line, option) || strings.Contains(line, option+"=") {
			word = value
		}
		if word != "" && !slices.Contains(got[line], word) {
			got[line] = append(got[line], word)
		}
	}
	for _, words := range got {
		slices.Sort(words)
	}
	return got
}

const bashPackage = "/usr/share/bash-completion/bash_completion"

func completeBashPackage(t *testing.T, dir string, lines []string) map[string][]string {
	if _, err := os.Stat(bashPackage); err != nil {
		t.Skip("bash-completion is not installed")
	}
	return completeInBash(t, dir, lines, bashPackage)
}

func completeBash(t *testing.T, dir string, lines []string) map[string][]string {
	return completeInBash(t, dir, lines, "")
}

func completeInBash(t *testing.T, dir string, lines []string, file string) map[string][]string {
	t.Helper()
	var input strings.Builder
	for _, line := range lines {
		// Readline splits words at = and : too. None of these words contains a blank.
		split := regexp.MustCompile(`[=:]+`).ReplaceAllString(line, " $0 ")
		fmt.Fprintf(&input, "%s\n%s\n", line, strings.Join(strings.Fields(split), "\t"))
	}
	return completed(inShell(t, dir, input.String(), "bash", "--norc", "completions/testdata/bash.sh", file))
}

func completeZsh(t *testing.T, dir string, lines []string) map[string][]string {
	t.Helper()
	write(t, filepath.Join(dir, "lines"), strings.Join(lines, "\n")+"\n", 0o644)
	inShell(t, dir, "", "zsh", "-f", "completions/testdata/zsh.sh", "lines", "output")
	output, err := os.ReadFile(filepath.Join(dir, "output"))
	if err != nil || !bytes.HasSuffix(output, []byte("> end\n")) {
		t.Fatalf("%v\n%s", err, output)
	}
	return completed(string(output))
}

// TestFishDescribesOptions checks that values have no text: fish would show it beside each value, and it describes the option.
func TestFishDescribesOptions(t *testing.T) {
	dir := completionFolder(t)
	const driver = `source completions/retry.fish
		for line in 'retry --jitter ' 'retry --stop-if=' 'retry --jitt'
			complete "--do-complete=$line"
		end`
	var described []string
	for line := range strings.Lines(inShell(t, dir, "", "fish", "--no-config", "-c", driver)) {
		if word, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); text != "" {
			described = append(described, word)
		}
	}
	if want := []string{"--jitter"}; !slices.Equal(described, want) {
		t.Errorf("%q have a text, want %q", described, want)
	}
}

func completeFish(t *testing.T, dir string, lines []string) map[string][]string {
	t.Helper()
	const driver = `
		source completions/retry.fish
		complete -c retry-test-command -f
		complete -c retry-test-command -l own
		complete -c retry-test-command -l other
		while read -l line
			printf '> %s\n' $line
			complete "--do-complete=$line" 2>/dev/null
		end`
	return completed(inShell(t, dir, strings.Join(lines, "\n")+"\n", "fish", "--no-config", "-c", driver))
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
