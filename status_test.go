//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The scripts test a few statuses. A wrapper could lose any of them, or take one for its own.
func TestExitStatusesPassThrough(t *testing.T) {
	t.Parallel()
	for code := range 256 {
		ws, stderr := runToEnd(t, "-n", "1", "-qq", "--", "sh", "-c", "exit "+strconv.Itoa(code))
		if !ws.Exited() || ws.ExitStatus() != code {
			t.Errorf("exit %d: wait status %#x\n%s", code, int(ws), stderr)
		}
	}
}

// A shell sees 128+n after any signal n. For the signals that usually end programs this is because retry has died of them too;
// for the others retry exits with that number.
func TestSignalDeathsPassThrough(t *testing.T) {
	t.Parallel()
	fatal := 0
	for number := syscall.Signal(1); number < 65; number++ {
		switch number {
		case syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGURG, syscall.SIGWINCH, // ignored by default
			syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU: // these stop
			continue
		}
		if runtime.GOOS != "linux" && number > syscall.SIGUSR2 {
			break
		}
		fatal++
		// Not every shell can send all of them, but each can be told to dump no core.
		ws, stderr := runToEnd(t, "-n", "1", "--", "sh", "-c", fmt.Sprintf("ulimit -c 0; kill -%d $$", number))
		switch number {
		case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGTERM, syscall.SIGHUP:
			if !ws.Signaled() || ws.Signal() != number || ws.CoreDump() {
				t.Errorf("signal %d: wait status %#x\n%s", number, int(ws), stderr)
			}
		default:
			if !ws.Exited() || ws.ExitStatus() != 128+int(number) {
				t.Errorf("signal %d: wait status %#x\n%s", number, int(ws), stderr)
			}
		}
		if name := unix.SignalName(number); !strings.Contains(stderr, ": killed by "+name) {
			t.Errorf("signal %d is not named %q in %q", number, name, stderr)
		}
	}
	if runtime.GOOS == "linux" && fatal != 56 {
		t.Errorf("%d signals were sent, want 56", fatal)
	}
	out, err := exec.Command("sh", "-c", "retry -qq -- sh -c 'kill -PIPE $$'; echo $?").Output()
	if string(out) != "141\n" {
		t.Errorf("a shell sees %q after SIGPIPE, %v", out, err)
	}
}

// A command can fit into the argument space of the call to retry and not into that of retry's own call, which adds variables.
func TestArgumentListTooLong(t *testing.T) {
	t.Parallel()
	attempt := func(size int) (started bool, ws syscall.WaitStatus, stderr string) {
		args := []string{"--", "true"}
		for ; size > 0; size -= 1000 {
			args = append(args, strings.Repeat("x", min(size, 1000)))
		}
		var text bytes.Buffer
		c := command(t, args...)
		c.Stderr = &text
		if err := c.Start(); err != nil {
			if !errors.Is(err, syscall.E2BIG) {
				t.Fatal(err)
			}
			return false, 0, ""
		}
		return true, finish(t, c), text.String()
	}
	low, high := 0, 16<<20
	if started, _, _ := attempt(high); started {
		t.Skip("this system takes argument lists of 16 MB")
	}
	for high-low > 1 {
		if middle := (low + high) / 2; func() bool { started, _, _ := attempt(middle); return started }() {
			low = middle
		} else {
			high = middle
		}
	}
	_, ws, stderr := attempt(low)
	want := "retry: true: not retrying: cannot execute: argument list too long\n"
	if !ws.Exited() || ws.ExitStatus() != 126 || stderr != want {
		t.Errorf("wait status %#x, standard error %q, want %q", int(ws), stderr, want)
	}
}
