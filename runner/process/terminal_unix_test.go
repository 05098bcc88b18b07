//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// TestPipeIsNoTerminal has pipes answer as on macOS and the BSDs, where they have a process group like a terminal. If
// retry took one for a terminal, the command would get no group of its own and escape a timeout.
func TestPipeIsNoTerminal(t *testing.T) {
	always := func(int) bool { return true }
	never := func(int) bool { return false }
	for _, test := range []struct {
		name              string
		hasGroup, hasSize func(int) bool
		want              int
	}{
		{"pipes", always, never, -1},
		{"another session's terminal", never, always, -1},
		{"terminal", always, always, 0},
		{"terminal behind pipes", always, func(descriptor int) bool { return descriptor == 2 }, 2},
	} {
		got := firstTerminal(test.hasGroup, test.hasSize)
		if got.descriptor != test.want || got.present() != (test.want >= 0) {
			t.Errorf("%s: %d, want %d, and present is %t", test.name, got.descriptor, test.want, got.present())
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if hasSize(int(reader.Fd())) || hasSize(int(writer.Fd())) || !hasSize(int(slave.Fd())) {
		t.Error("a pipe has a size, or a terminal has none")
	}
}

// TestTakeBack has the terminal's foreground group lose its processes one by one. The terminal is that of a new session,
// with another process of this program in it.
func TestTakeBack(t *testing.T) {
	const inSession = "RETRY_TEST_IN_SESSION"
	if os.Getenv(inSession) != "" {
		takeBackInSession(t)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	session := exec.Command(self, "-test.run=^TestTakeBack$")
	session.Env = append(os.Environ(), inSession+"=1", "RETRY_TEST_BINARY="+self)
	session.Stdin = slave
	session.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if text, err := session.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

// takeBackInSession is TestTakeBack in a process that leads the session of a terminal, its standard input.
func takeBackInSession(t *testing.T) {
	own := terminal{0}
	if !hasGroup(0) || !own.ours() {
		t.Fatal("the terminal has no foreground group, or another one")
	}
	leader := sleepInGroup(t, &syscall.SysProcAttr{Setpgid: true, Foreground: true})
	member := sleepInGroup(t, &syscall.SysProcAttr{Setpgid: true, Pgid: leader.Process.Pid})
	if own.takeBack(true); own.ours() {
		t.Error("it was taken from a group with two processes")
	}
	end(leader)
	if own.takeBack(true); own.ours() {
		t.Error("it was taken from a group without a leader")
	}
	end(member)
	if own.takeBack(false); own.ours() {
		t.Error("it was taken although it was another group's before")
	}
	if own.takeBack(true); !own.ours() {
		t.Error("it was not taken from an empty group")
	}
}

func sleepInGroup(t *testing.T, attributes *syscall.SysProcAttr) *exec.Cmd {
	t.Helper()
	sleep := exec.Command("sleep", "300")
	sleep.SysProcAttr = attributes
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(sleep) })
	return sleep
}

func end(command *exec.Cmd) {
	_ = command.Process.Kill()
	_ = command.Wait()
}
