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

// The scripts name a few statuses; a wrapper may lose any of them, or take one for its own.
func TestExitStatusesPassThrough(t *testing.T) {
	t.Parallel()
	for code := range 256 {
		ws, stderr := runToEnd(t, "-n", "1", "-qq", "--", "sh", "-c", "exit "+strconv.Itoa(code))
		if !ws.Exited() || ws.ExitStatus() != code {
			t.Errorf("exit %d: wait status %#x\n%s", code, int(ws), stderr)
		}
	}
}

// A shell sees 128+n after any signal n: either way by number, and for those that end programs in the ordinary course
// of things because retry died of it too.
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
		// No shell can send them all, but each can be told to leave no core.
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

// A command can fit retry's own call and not the one that retry makes, because the attempt's variables are added.
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
