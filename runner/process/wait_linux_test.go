package process

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestBlockUntilExit checks that a child that has ended is left to be reaped.
func TestBlockUntilExit(t *testing.T) {
	child, _ := launch(t, mark(), "echo; sleep 0.1")
	blockUntilExit()
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_PID, child.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil); err != nil || info.Signo == 0 {
		t.Errorf("no child has ended: %v", err)
	}
}

// TestStopped checks that a stop is reported once.
func TestStopped(t *testing.T) {
	child, _ := launch(t, mark(), "echo; read x")
	pid := child.Process.Pid
	if stopped(pid) {
		t.Error("it stopped before it was told to")
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a stop", func() bool { return stopped(pid) })
	if stopped(pid) {
		t.Error("the stop was reported twice")
	}
	if stopped(ended(t)) {
		t.Error("a child that has ended was reported as stopped")
	}
}
