//go:build windows

package completions

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestPowerShell checks the completions that PowerShell offers.
func TestPowerShell(t *testing.T) {
	shell := ""
	for _, name := range []string{"pwsh", "powershell"} {
		// Wine has a program of that name that does nothing.
		if version, err := exec.Command(name, "-NoProfile", "-Command", "$PSVersionTable.PSVersion.Major").Output(); err == nil &&
			strings.TrimSpace(string(version)) != "" {
			shell = name
			break
		}
	}
	if shell == "" {
		t.Skip("PowerShell is not installed")
	}
	cases := []struct{ line, want string }{
		{"retry --jit", "--jitter"},
		{"retry -q --rep", "--report --report-argv"},
		{"retry --backoff ", "constant exponential fibonacci linear"},
		{"retry --jitter=d", "--jitter=decorrelated"},
		{"retry -n 3 --std", "--stderr --stdin --stdout"},
		{"retry -qn 3 --completi", "--completion"},
		{"retry --completion ", "bash fish powershell zsh"},
		{"retry --retry-if st", "stderr: stdout:"},
	}
	script := "$ErrorActionPreference = 'Stop'; . ./retry.ps1\n"
	for _, c := range cases {
		script += "$line = '" + c.line + "'; $found = TabExpansion2 $line $line.Length\n" +
			"'> ' + (($found.CompletionMatches | ForEach-Object CompletionText | Sort-Object) -join ' ')\n"
	}
	output, err := exec.CommandContext(t.Context(), shell, "-NoProfile", "-NonInteractive", "-Command", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	lines := slices.Collect(strings.Lines(strings.ReplaceAll(string(output), "\r", "")))
	if len(lines) != len(cases) {
		t.Fatalf("%q", lines)
	}
	for i, c := range cases {
		if got := strings.TrimSpace(strings.TrimPrefix(lines[i], "> ")); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
