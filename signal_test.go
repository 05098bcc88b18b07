//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Each signal reaches the command once, and only the four that should end retry do so. recur, joshdk/retry, homeport/retry,
// minfrin/retry and kadwanev/retry forward none.
func TestSignalsAreForwardedOnce(t *testing.T) {
	t.Parallel()
	for _, number := range forwarded {
		number := number.(syscall.Signal)
		t.Run(unix.SignalName(number), func(t *testing.T) {
			t.Parallel()
			// The sentinel comes after a second copy of the signal, if there is one.
			sentinel := syscall.SIGUSR1
			if number == sentinel {
				sentinel = syscall.SIGUSR2
			}
			c := command(t, "-q", "--", "signals")
			stdin, stdout := pipes(t, c)
			expectLine(t, stdout, "ready")
			for _, s := range []syscall.Signal{number, sentinel} {
				send(t, c, s)
				expectLine(t, stdout, unix.SignalName(s))
			}
			stdin.Close()
			if line, err := stdout.ReadString('\n'); err != io.EOF {
				t.Errorf("got %q, %v after the sentinel", line, err)
			}
			ws := finish(t, c)
			if slices.Contains(ending, os.Signal(number)) {
				if !ws.Signaled() || ws.Signal() != number {
					t.Errorf("retry ended with wait status %#x", int(ws))
				}
			} else if !ws.Exited() || ws.ExitStatus() != 0 {
				t.Errorf("retry ended with wait status %#x", int(ws))
			}
		})
	}
}

// pipes starts the command with pipes for both its standard streams.
func pipes(t *testing.T, c *exec.Cmd) (io.WriteCloser, *bufio.Reader) {
	t.Helper()
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return stdin, bufio.NewReader(stdout)
}

func expectLine(t *testing.T, from *bufio.Reader, want string) {
	t.Helper()
	line, err := from.ReadString('\n')
	if line != want+"\n" {
		t.Fatalf("got %q, %v, want %q", line, err, want)
	}
}

func send(t *testing.T, c *exec.Cmd, number syscall.Signal) {
	t.Helper()
	if err := c.Process.Signal(number); err != nil {
		t.Fatal(err)
	}
}

// A signal ends a sleep at once, however much of it is left.
func TestSignalDuringSleep(t *testing.T) {
	t.Parallel()
	for _, number := range ending {
		number := number.(syscall.Signal)
		t.Run(unix.SignalName(number), func(t *testing.T) {
			t.Parallel()
			c := command(t, "--delay", "1h", "--", "sh", "-c", "exit 3")
			stderr, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(stderr)
			line, _ := lines.ReadString('\n')
			want := "retry: sh: attempt 1/10 failed: exit status 3 after T; sleeping 1h"
			if !lineMatches(want, strings.TrimSuffix(line, "\n")) {
				t.Fatalf("got %q, want %q", line, want)
			}
			sent := time.Now()
			send(t, c, number)
			expectLine(t, lines, "retry: sh: not retrying: "+unix.SignalName(number)+" received")
			if ws := finish(t, c); !ws.Signaled() || ws.Signal() != number || ws.CoreDump() {
				t.Errorf("retry ended with wait status %#x", int(ws))
			}
			if took := time.Since(sent); took > 10*time.Second {
				t.Errorf("that took %v", took)
			}
		})
	}
}

// A signal during an attempt is for the command to handle, for as long as it takes. Then retry dies of it, without another
// attempt, and leaves nothing running.
func TestSignalDuringAttempt(t *testing.T) {
	t.Parallel()
	// The loops wait in short steps, because a shell handles a signal between two commands.
	const wait = `while :; do sleep 0.02; done`
	for name, test := range map[string]struct {
		options []string
		script  string
		want    string // on standard output after the first line
	}{
		"cleans up and exits 0": {script: `trap 'echo cleaned; exit 0' TERM; echo $$; ` + wait, want: "cleaned\n"},
		"cleans up and exits 3": {
			script: `trap 'sleep 0.3; echo cleaned; exit 3' TERM; echo $$; ` + wait, want: "cleaned\n",
		},
		"ignores it and finishes": {script: `trap '' TERM; echo $$; sleep 0.5; echo finished; exit 1`, want: "finished\n"},
		"dies of it":              {script: `echo $$; ` + wait},
		"dies of another one":     {script: `trap 'kill -KILL $$' TERM; echo $$; ` + wait},
		"leaves a child":          {script: `trap 'exit 0' TERM; sleep 600 >/dev/null & echo $$ $!; ` + wait},
		"leaves a child that ignores it": {
			options: []string{"--kill-after", "100ms"},
			script:  `(trap '' TERM; exec sleep 600) >/dev/null & sleep 0.2; trap 'exit 0' TERM; echo $$ $!; ` + wait,
		},
		"ignores it under --kill-after": {
			options: []string{"--kill-after", "100ms"}, script: `trap '' TERM; echo $$; ` + wait,
		},
		"under a timeout": {
			options: []string{"--timeout", "1h"}, script: `trap 'echo cleaned; exit 0' TERM; echo $$; ` + wait,
			want: "cleaned\n",
		},
		"under a deadline": {
			options: []string{"--deadline", "1h"}, script: `trap 'echo cleaned; exit 0' TERM; echo $$; ` + wait,
			want: "cleaned\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			c := command(t, append(test.options, "--delay", "0", "--", "sh", "-c", test.script)...)
			c.Stderr = &stderr
			_, stdout := pipes(t, c)
			pids, err := stdout.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			send(t, c, syscall.SIGTERM)
			rest, err := io.ReadAll(stdout)
			if err != nil || string(rest) != test.want {
				t.Errorf("standard output: got %q, %v, want %q", rest, err, test.want)
			}
			if ws := finish(t, c); !ws.Signaled() || ws.Signal() != syscall.SIGTERM {
				t.Errorf("retry ended with wait status %#x", int(ws))
			}
			if want := "retry: sh: not retrying: SIGTERM received\n"; stderr.String() != want {
				t.Errorf("standard error: got %q, want %q", stderr.String(), want)
			}
			for number := range strings.FieldsSeq(pids) {
				if pid, _ := strconv.Atoi(number); alive(pid) {
					t.Errorf("process %d still runs", pid)
				}
			}
		})
	}
}
