package stream

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A desk is a terminal with a user.
type desk struct {
	user *os.File // the user's side: the keyboard and the screen
	real *os.File // the terminal's side, which passes on bytes unchanged
}

// atDesk runs a test in a session of its own whose controlling terminal is a desk's. It runs the test again in another
// process, and fails with its output.
func atDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	const role = "RETRY_TEST_DESK"
	if os.Getenv(role) != "" {
		test(t, &desk{user: os.NewFile(3, "user"), real: os.NewFile(4, "terminal")})
		return
	}
	d := newDesk(t)
	again := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.timeout=30s")
	again.Env = append(os.Environ(), role+"=1")
	again.Stdin, again.ExtraFiles = d.real, []*os.File{d.user, d.real}
	again.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if said, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

// newDesk returns a desk whose terminal isn't a controlling one.
func newDesk(t *testing.T) *desk {
	t.Helper()
	master, slave, err := openTerminal()
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	d := &desk{user: os.NewFile(uintptr(master), "user"), real: slave}
	t.Cleanup(func() { d.user.Close(); d.real.Close() })
	d.change(t, func(s *unix.Termios) { s.Oflag &^= unix.OPOST })
	return d
}

// settings returns the terminal's settings.
func (d *desk) settings(t *testing.T) unix.Termios { return settingsOf(t, d.real) }

func settingsOf(t *testing.T, terminal *os.File) unix.Termios {
	t.Helper()
	settings, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *settings
}

func (d *desk) change(t *testing.T, change func(settings *unix.Termios)) {
	t.Helper()
	changeSettings(t, d.real, change)
}

func changeSettings(t *testing.T, terminal *os.File, change func(settings *unix.Termios)) {
	t.Helper()
	settings := settingsOf(t, terminal)
	change(&settings)
	if err := unix.IoctlSetTermios(int(terminal.Fd()), unix.TCSETS, &settings); err != nil {
		t.Fatal(err)
	}
}

// sees waits until this many bytes have come to the terminal, and returns them.
func (d *desk) sees(t *testing.T, n int) string {
	t.Helper()
	var seen bytes.Buffer
	block := make([]byte, 64<<10)
	for deadline := time.Now().Add(20 * time.Second); seen.Len() < n && time.Now().Before(deadline); {
		at := []unix.PollFd{{Fd: int32(d.user.Fd()), Events: unix.POLLIN}}
		if ready, _ := unix.Poll(at, 1000); ready > 0 {
			n, err := unix.Read(int(d.user.Fd()), block)
			if n <= 0 {
				t.Errorf("the terminal can't be read: %v", err)
				break
			}
			seen.Write(block[:n])
		}
	}
	return seen.String()
}

// shows checks what comes to the terminal next.
func (d *desk) shows(t *testing.T, want string) {
	t.Helper()
	if got := d.sees(t, len(want)); got != want {
		t.Errorf("%d bytes arrived, %.200q, want %d: %.200q", len(got), got, len(want), want)
	}
}

// become waits for a condition.
func become(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("this never happened: %s", what)
		}
	}
}

// runs returns a command that runs a script with the files of an attempt and waits for the script to end.
func runs(t *testing.T, script string) func(files [3]*os.File) {
	return func(files [3]*os.File) {
		t.Helper()
		command := exec.Command("sh", "-c", script)
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, files[1], files[2]
		if err := command.Run(); err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(script), err)
		}
	}
}
