//go:build unix && !linux

package process_test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// needs skips a test because the system lacks something.
func needs(t *testing.T, what string) {
	t.Helper()
	t.Skip("this system has no " + what)
}

// TestLinuxOnly names the tests that this system skips because they are not compiled here, each with the reason.
func TestLinuxOnly(t *testing.T) {
	for reason, names := range linuxOnly {
		for _, name := range strings.Fields(names) {
			t.Run(name, func(t *testing.T) { t.Skip(reason) })
		}
	}
}

// list runs ps(1), which prints one line for each process.
func list(options ...string) []string {
	text, _ := exec.Command("ps", append([]string{"-ww"}, options...)...).Output()
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// marked returns the processes with a text in their environment or among their arguments. macOS doesn't show the
// environment of the system's own programs, so for those only the arguments count.
func marked(text string) []int {
	everything := "-axe"
	if runtime.GOOS == "darwin" {
		everything = "-axE"
	}
	var found []int
	for _, line := range list(everything, "-o", "pid=", "-o", "stat=", "-o", "command=") {
		words := strings.Fields(line)
		if len(words) < 3 || words[1][0] == 'Z' || !strings.Contains(line, text) {
			continue
		}
		if pid, err := strconv.Atoi(words[0]); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// stateOf returns the first letter of a process's state as ps(1) shows it, or Z if the process has gone.
func stateOf(pid int) byte {
	for _, line := range list("-o", "stat=", "-p", strconv.Itoa(pid)) {
		if state := strings.TrimSpace(line); state != "" {
			return state[0]
		}
	}
	return 'Z'
}

// arguments returns the words of a command, split at every space.
func arguments(pid int) []string {
	return strings.Fields(strings.Join(list("-o", "command=", "-p", strconv.Itoa(pid)), " "))
}

// programOf returns the first word of a process's command.
func programOf(pid int) string {
	words := append(arguments(pid), "")
	return words[0]
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid int) (parent int) {
	for _, line := range list("-o", "ppid=", "-p", strconv.Itoa(pid)) {
		parent, _ = strconv.Atoi(strings.TrimSpace(line))
	}
	return parent
}

// ignores skips the test: this system doesn't tell whether a process ignores a signal.
func ignores(t *testing.T, _ int, _ syscall.Signal) bool {
	t.Helper()
	needs(t, "/proc, which tells the signals that a process ignores")
	return false
}

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	return master, slave
}

// peak always reports 0, which is below any limit.
func peak(int) <-chan int {
	most := make(chan int, 1)
	most <- 0
	return most
}
