//go:build unix

package process_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// These tests check the state in which a watched command leaves its terminal, and what it leaves on the screen.

// TestWatchedTerminalIsRestored ends a command that has set the terminal's modes through standard output.
func TestWatchedTerminalIsRestored(t *testing.T) {
	t.Chdir(t.TempDir())
	s := sitWithScript(t, `stty -g >before; "$RETRY" -qq -n 1 --transient --timeout 0.5 -- sh -c '
		stty -echo -icanon -F /dev/stdout; exec sleep 300.$MARK'; echo status $?; stty -g >after; cmp before after && echo same`)
	s.shows("status 124")
	s.shows("same")
	s.exits(0)
}

// TestWatchedTerminalTakesModes has a command set modes through standard error, as more does, and look at the real terminal.
func TestWatchedTerminalTakesModes(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `"$RETRY" -qq --transient -- sh -c '
		stty -echo -icanon <&2; until stty -a | grep -q -- "-icanon.*-echo "; do sleep 0.02; done
		stty echo icanon <&2; until stty -a | grep -q " icanon.* echo "; do sleep 0.02; done; echo both'`)
	s.shows("both")
	s.exits(0)
}

// TestWatchedTerminalEnds has a command that ends in the middle of a line and leaves a daemon with the terminal open.
func TestWatchedTerminalEnds(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `"$RETRY" -qq --transient -- sh -c 'trap "" HUP; sleep 300.$MARK & printf unfinished'; echo " status $?"`)
	s.shows("unfinished status 0")
	s.exits(0)
	s.stillSleeps(300)
	pid, _ := s.sleeper(300)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

// TestWatchedTerminalIsResized has the command's terminal follow the real one.
func TestWatchedTerminalIsResized(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `exec "$RETRY" -qq --transient -- sh -c '
		trap "stty size <&1" WINCH; echo ready; while :; do sleep 0.02; done'`)
	s.shows("ready")
	onDescriptor(t, s.terminal, func(descriptor int) {
		if err := unix.IoctlSetWinsize(descriptor, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 91}); err != nil {
			t.Error(err)
		}
	})
	s.shows("30 91")
	s.send(syscall.SIGTERM)
	s.dies(syscall.SIGTERM)
}

// TestWatchedTerminalHangup closes the real terminal, so that the kernel sends SIGHUP to the foreground group.
func TestWatchedTerminalHangup(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `exec "$RETRY" --transient -- sh -c 'echo ready; exec sleep 300.$MARK'`)
	s.shows("ready")
	s.sleeps(300)
	s.terminal.Close()
	s.dies(syscall.SIGHUP)
	s.gone()
}

// TestWatchedTerminalAndKill kills retry by SIGKILL, and with it the command.
func TestWatchedTerminalAndKill(t *testing.T) {
	t.Chdir(t.TempDir())
	s := sitWithScript(t, `stty -g >before; "$RETRY" --transient -- sleep 300.$MARK; echo status $?
		stty -g >after; cmp before after && echo same`)
	s.sleeps(300)
	if err := syscall.Kill(s.retryOf(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.shows("status 137")
	s.shows("same")
	s.noLonger(300)
	s.exits(0)
}

// TestWatchedTerminalBytes sends arbitrary bytes to a terminal that changes none of them.
func TestWatchedTerminalBytes(t *testing.T) {
	t.Chdir(t.TempDir())
	random, err := os.ReadFile(binary) // as good as random, but reproducible
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bytes", random[:1<<20], 0o600); err != nil {
		t.Fatal(err)
	}
	s := sitWithScript(t, `stty raw -echo; "$RETRY" --transient -- cat bytes`)
	s.exits(0)
	until(t, "all bytes", func() bool { return len(s.said()) >= 1<<20 }, func() string { return "fewer" })
	if got := s.said(); !strings.HasPrefix(got, string(random[:1<<20])) || len(got) != 1<<20 {
		t.Errorf("%d bytes arrived, and not those that were written", len(got))
	}
}

// TestWatchedTerminalRandomBytes writes random bytes to either stream, in blocks of random sizes. Half of them are
// bytes that terminals treat specially. A failure prints the seed.
func TestWatchedTerminalRandomBytes(t *testing.T) {
	t.Chdir(t.TempDir())
	special := []byte("\x00\x03\x04\b\t\n\v\r\x0f\x11\x12\x13\x15\x16\x17\x1a\x1b\x1c\x7f\x80\xff")
	for range 8 {
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 0))
		content := make([]byte, 1+random.IntN(100_000))
		for i := range content {
			content[i] = byte(random.Uint32())
			if random.IntN(2) == 0 {
				content[i] = special[random.IntN(len(special))]
			}
		}
		if err := os.WriteFile("bytes", content, 0o600); err != nil {
			t.Fatal(err)
		}
		s := sitWithScript(t, fmt.Sprintf(`stty raw -echo; "$RETRY" --transient -c 'dd if=bytes bs=%d status=none >&%d'`,
			1+random.IntN(5000), 1+random.IntN(2)))
		s.exits(0)
		until(t, "all bytes", func() bool { return len(s.said()) >= len(content) }, func() string { return fmt.Sprint("fewer, with seed ", seed) })
		if got := s.said(); got != string(content) {
			t.Errorf("seed %d: %d bytes arrived, and not the %d that were written", seed, len(got), len(content))
		}
	}
}

// TestWatchedTerminalCountdown checks that retry's own lines, its countdown and its report are the same as without a
// watched terminal.
func TestWatchedTerminalCountdown(t *testing.T) {
	t.Parallel()
	report := filepath.Join(t.TempDir(), "report")
	const command = ` -- sh -c '[ -t 1 ] && [ -t 2 ] && printf "half $RETRY_ATTEMPT"; exit 3'`
	const call = `RETRY_OPTS= exec env -u CI -u NO_COLOR TERM=xterm "$RETRY" -n 2 --transient `
	s := sitWithScript(t, call+"--delay 300 --report "+report+command)
	s.shows("attempt 2/2 in 5m")
	s.shows("attempt 2/2 in 4m59s")
	s.send(syscall.SIGUSR1)
	s.exits(3)
	s.shows(": exit status 3\r\n")
	said := s.said()
	if !strings.HasPrefix(said, "half 1\r\nretry: sh: ") {
		t.Errorf("what follows an incomplete line does not start on a new one: %q", said)
	}
	if !strings.Contains(said, "\x1b[2mattempt 2/2 in 4m59s\x1b[m\r\r\x1b[Khalf 2\r\nretry: sh: ") {
		t.Errorf("the countdown was not erased before the command printed: %q", said)
	}
	text, err := os.ReadFile(report)
	if attempts := strings.Count(string(text), `"event":"attempt"`); err != nil || attempts != 2 {
		t.Errorf("%d attempts in the report, %v:\n%s", attempts, err, text)
	}

	s = sitWithScript(t, call+"--delay 0.01 -q"+command)
	s.exits(3)
	s.shows(": exit status 3\r\n")
	if said := s.said(); !strings.HasPrefix(said, "half 1half 2\r\nretry: sh: ") || strings.Count(said, "\n") != 2 {
		t.Errorf("with -q: %q", said)
	}
	s = sitWithScript(t, call+"--delay 0.01 -qq"+command)
	s.exits(3)
	s.shows("half 2")
	if said := s.said(); said != "half 1half 2" {
		t.Errorf("with -qq: %q", said)
	}
	// Held output doesn't go through a terminal.
	s = sitWithScript(t, call+`--delay 0.01 -qq -o -- sh -c '[ $RETRY_ATTEMPT = 2 ] && [ -t 2 ] && [ ! -t 1 ] && echo held'`)
	s.exits(0)
	s.shows("held")
	if said := s.said(); said != "held\r\n" {
		t.Errorf("with -o: %q", said)
	}
}
