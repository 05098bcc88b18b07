package process_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestDeadlineCountsSuspension checks that a timer which runs on while the system is suspended ends an attempt and a
// sleep that the deadline limits. A test can't suspend the system, but the kernel shows which timers a process has.
func TestDeadlineCountsSuspension(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"attempt": {"--deadline", "500", "sleep", "300"},
		"sleep":   {"--deadline", "500", "--delay", "300", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			r := begin(t, words...)
			until(t, "such a timer", func() bool { return hasBootTimer(r.pid()) }, r.said)
		})
	}
	// No timer can be set to the delay 0.
	begin(t, "--deadline", "500", "--delay", "0", "-n", "2", "false").exits(1)
}

// hasBootTimer reports whether a process has a timer on CLOCK_BOOTTIME. See proc_pid_fdinfo(5).
func hasBootTimer(pid int) bool {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fdinfo/*")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "\nclockid: 7\n") {
			return true
		}
	}
	return false
}
