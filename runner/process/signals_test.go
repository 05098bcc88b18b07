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
	"time"

	"golang.org/x/sys/unix"
)

// neverEnding is a command that ends only by a signal. stubborn reports when it receives one, and ends with a status.
const (
	neverEnding = `exec sleep 300.$MARK`
	stubborn    = `trap 'sleep 0.3; echo cleaned; exit %d' TERM INT; echo started; while :; do sleep 0.02; done`
)

// TestSignalAtAnyInstant sends a signal while retry starts, or while it forks one attempt after another.
func TestSignalAtAnyInstant(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][]string{
		"starting": {"sh", "-c", neverEnding},
		"piped":    {"--stop-if", "output:x", "sh", "-c", neverEnding},
		"limited":  {"--timeout", "100", "sh", "-c", neverEnding},
		"forking":  {"-n", "0", "--delay", "0", "-qq", "sh", "-c", `sleep 0.0001; exit 1`},
		"sleeping": {"-n", "0", "--delay", "100us", "-qq", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range 30 {
				number := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}[i%3]
				r := begin(t, arguments...)
				after := time.Duration(rand.Int64N(int64(3 * time.Millisecond)))
				time.Sleep(after)
				r.send(number)
				r.dies(number)
				r.goneAlready()
				if text := r.said(); strings.Contains(text, "goroutine") {
					t.Errorf("%v after the start, %v: it said:\n%s", after, number, text)
				}
			}
		})
	}
}

// TestQuit guards against the stack trace that Go programs print on SIGQUIT, and against a core file of retry besides
// the command's.
func TestQuit(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][]string{
		"attempt": {"sh", "-c", `echo ready; exec sleep 300.$MARK`},
		"sleep":   {"--delay", "300", "sh", "-c", `echo ready; exit 1`},
	} {
		t.Run(name, func(t *testing.T) {
			script := `ulimit -c "$(ulimit -Hc)"; exec "$RETRY" "$@"`
			r := prepare(t, append([]string{"sh", "-c", script, "sh"}, arguments...)...)
			r.command.Dir = t.TempDir()
			r.start()
			r.hears("ready")
			if name == "sleep" {
				r.hears("sleeping")
			}
			r.send(syscall.SIGQUIT)
			r.dies(syscall.SIGQUIT)
			if r.status.CoreDump() {
				t.Error("retry left a core file")
			}
			if strings.Contains(r.said(), "goroutine") {
				t.Errorf("it said:\n%s", r.said())
			}
			cores, _ := filepath.Glob(r.command.Dir + "/*")
			if name == "sleep" && len(cores) > 0 || len(cores) > 1 {
				t.Errorf("there are %q", cores)
			}
			r.goneAlready()
		})
	}
}

// TestCleanup guards the time that a command needs to clean up: retry waits for it and, whatever its status, doesn't
// run it again.
func TestCleanup(t *testing.T) {
	t.Parallel()
	for _, number := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		for status := range 2 {
			t.Run(fmt.Sprintf("%s-%d", unix.SignalName(number), status), func(t *testing.T) {
				r := begin(t, "--delay", "0", "sh", "-c", fmt.Sprintf(stubborn, status))
				r.hears("started")
				r.send(number)
				r.dies(number)
				r.saidTimes(1, "started")
				r.saidTimes(1, "cleaned")
				r.goneAlready()
			})
		}
	}
}

// TestGroupSignal sends a signal to retry's process group, as timeout and job managers do. The command receives it once.
func TestGroupSignal(t *testing.T) {
	t.Parallel()
	r := prepare(t, "sh", "-c", `RETRY_TEST_ROLE=listen exec "$RETRY" "$PLAY"`)
	input, err := r.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	r.hears("listening")
	for _, number := range []syscall.Signal{
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT,
		syscall.SIGQUIT,
	} {
		if err := syscall.Kill(-r.pid(), number); err != nil {
			t.Fatal(err)
		}
		r.hears("got " + unix.SignalName(number))
	}
	// A second one would arrive before these two, which are sent to retry alone.
	for _, number := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGTERM} {
		r.send(number)
		until(t, "a forwarded "+unix.SignalName(number), func() bool { return r.count("got "+unix.SignalName(number)) > 1 }, r.said)
	}
	fmt.Fprintln(input, "exit0")
	r.dies(syscall.SIGTERM)
	r.saidTimes(10, "got SIG")
}

// TestKilled checks that the command doesn't outlive retry.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, options := range [][]string{nil, {"--timeout", "100"}, {"--retry-if", "output:x"}} {
		r := begin(t, append(options, "sh", "-c", neverEnding)...)
		r.sleeps(300)
		// What matters is the thread that created the command, not the process: let threads come and go.
		time.Sleep(50 * time.Millisecond)
		r.stillSleeps(300)
		r.send(syscall.SIGKILL)
		r.dies(syscall.SIGKILL)
		r.gone()
	}
}

// TestDeaths lets each signal end the command. Some of them end retry too, the others are failures like any other.
func TestDeaths(t *testing.T) {
	t.Parallel()
	for number, attempts := range map[syscall.Signal]int{
		syscall.SIGINT: 1, syscall.SIGQUIT: 1, syscall.SIGPIPE: 1,
		syscall.SIGSEGV: 3, syscall.SIGKILL: 3, syscall.SIGABRT: 3, syscall.SIGTERM: 3, syscall.SIGHUP: 3,
	} {
		t.Run(unix.SignalName(number), func(t *testing.T) {
			script := fmt.Sprintf(`ulimit -c 0; echo begun; kill -%d $$`, number)
			r := begin(t, "-q", "-n", "3", "--delay", "0", "sh", "-c", script)
			switch number {
			case syscall.SIGSEGV, syscall.SIGKILL, syscall.SIGABRT:
				r.exits(128 + int(number))
			default:
				r.dies(number)
			}
			r.saidTimes(attempts, "begun")
		})
	}
}

// TestSignalDeathIsNoCore guards against a second core file when retry ends itself by the signal that ended the command.
func TestSignalDeathIsNoCore(t *testing.T) {
	t.Parallel()
	r := prepare(t, "sh", "-c", `ulimit -c "$(ulimit -Hc)"; exec "$RETRY" -c 'ulimit -c 0; kill -QUIT $$'`)
	r.command.Dir = t.TempDir()
	r.start().dies(syscall.SIGQUIT)
	if left, err := os.ReadDir(r.command.Dir); err != nil || len(left) > 0 || r.status.CoreDump() {
		t.Errorf("%v, %v, core: %v", left, err, r.status.CoreDump())
	}
}

// TestManySignals floods retry with signals while the command cleans up, which must not end or interrupt the wait for it.
func TestManySignals(t *testing.T) {
	t.Parallel()
	r := begin(t, "sh", "-c", `trap : TERM; trap 'exit 3' USR1; echo started; while :; do sleep 0.02; done`)
	r.hears("started")
	for range 200 {
		r.send(syscall.SIGTERM)
		time.Sleep(100 * time.Microsecond)
	}
	r.send(syscall.SIGUSR1)
	r.dies(syscall.SIGTERM)
	r.goneAlready()
}

// TestBlockedStandardError reads nothing of what retry prints. A single SIGTERM must end it all the same.
func TestBlockedStandardError(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"attempt": {"sh", "-c", neverEnding},
		"verbose": {"-v", "-n", "0", "--delay", "0", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			r := prepare(t, append([]string{binary}, words...)...)
			full := fullPipe(t)
			r.command.Stderr = full
			r.start()
			if name == "attempt" {
				r.sleeps(300)
			}
			r.send(syscall.SIGTERM)
			r.dies(syscall.SIGTERM)
			r.goneAlready()
		})
	}
}

// fullPipe returns the write end of a full pipe that nobody reads.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close(); writer.Close() })
	if err := writer.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := writer.Write(make([]byte, 4096)); err != nil {
			break
		}
	}
	onDescriptor(t, writer, func(descriptor int) { _ = unix.SetNonblock(descriptor, false) })
	return writer
}

// TestInterruptReachesGroup sends SIGINT and SIGQUIT to retry alone. The programs that a shell waits for must receive
// them too.
func TestInterruptReachesGroup(t *testing.T) {
	t.Parallel()
	for _, number := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		r := begin(t, "-c", `ulimit -c 0; sleep 300.$MARK | cat`)
		r.sleeps(300)
		r.send(number)
		r.dies(number)
		r.goneAlready()
	}
}

// TestTermAmongOthers sends a single SIGTERM in a flood of signals that are only forwarded.
func TestTermAmongOthers(t *testing.T) {
	t.Parallel()
	for range 30 {
		r := begin(t, "sh", "-c", `trap '' USR2; exec sleep 300.$MARK`)
		r.sleeps(300)
		for range 50 {
			r.send(syscall.SIGWINCH)
			r.send(syscall.SIGUSR2)
		}
		r.send(syscall.SIGTERM)
		r.dies(syscall.SIGTERM)
		r.goneAlready()
	}
}

// TestStopWithoutTerminal sends SIGTSTP to retry alone, in a session without a terminal. There the kernel ignores it,
// and the command must not get it.
func TestStopWithoutTerminal(t *testing.T) {
	t.Parallel()
	r := beginScript(t, listenAsRetry)
	r.hears("listening")
	r.send(syscall.SIGTSTP)
	r.settled(r.pid())
}
