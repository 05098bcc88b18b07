package console

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain makes this program print the width of its standard input instead. As the leader of a session it does so
// twice, the second time from a job that doesn't have the terminal.
func TestMain(m *testing.M) {
	role := os.Getenv("RETRY_TEST_ROLE")
	if role == "" {
		os.Exit(m.Run())
	}
	fmt.Println(role, ForegroundWidth(0))
	if role == "leader" {
		job := helper("job", os.Stdin, &syscall.SysProcAttr{Setpgid: true})
		job.Stdout = os.Stdout
		if err := job.Run(); err != nil {
			fmt.Println(err)
		}
	}
}

func helper(role string, terminal *os.File, attributes *syscall.SysProcAttr) *exec.Cmd {
	command := exec.Command("/proc/self/exe")
	command.Stdin, command.SysProcAttr = terminal, attributes
	command.Env = append(os.Environ(), "RETRY_TEST_ROLE="+role)
	return command
}

// pseudoTerminal returns a pseudo-terminal with this many columns.
func pseudoTerminal(t *testing.T, columns uint16) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns}); err != nil {
		t.Fatal(err)
	}
	return slave
}

// A terminal that doesn't know its width counts as 80 columns wide.
func TestWidth(t *testing.T) {
	for columns, want := range map[uint16]int{0: 80, 1: 1, 132: 132} {
		terminal := int(pseudoTerminal(t, columns).Fd())
		if got, foreground := Width(terminal), ForegroundWidth(terminal); got != want || foreground != want {
			t.Errorf("a terminal of %d columns is %d wide, and %d in the foreground", columns, got, foreground)
		}
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := Width(int(file.Fd())); got != 0 {
		t.Errorf("what is not a terminal is %d wide", got)
	}
}

// While another job has the terminal, it has no width.
func TestForegroundWidth(t *testing.T) {
	leader := helper("leader", pseudoTerminal(t, 100), &syscall.SysProcAttr{Setsid: true, Setctty: true})
	said, err := leader.CombinedOutput()
	if got := strings.Fields(string(said)); err != nil || strings.Join(got, " ") != "leader 100 job 0" {
		t.Errorf("%q, %v", got, err)
	}
}
