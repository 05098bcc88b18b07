//go:build linux

package process_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// neverEnding is a command that ends by a signal only; stubborn says when it gets one and ends with a status.
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

// TestQuit guards against the stacks that Go programs print on QUIT, and against a core of retry's own beside the one
// of the command.
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
				t.Error("retry left a core")
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

// TestCleanup guards the command's time to clean up: it is waited for and, whatever its status is, not run again.
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

// TestGroupSignal sends a signal to retry's group, as timeout and job managers do: the command gets it once.
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
	// A second one would come before these two, which go to retry alone.
	for _, number := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGTERM} {
		r.send(number)
		until(t, "a forwarded "+unix.SignalName(number), func() bool { return r.count("got "+unix.SignalName(number)) > 1 }, r.said)
	}
	fmt.Fprintln(input, "exit0")
	r.dies(syscall.SIGTERM)
	r.saidTimes(10, "got SIG")
}

// setups are the signals that a parent has ignored and blocked.
var setups = []struct{ name, ignored, blocked string }{
	{"plain", "", ""},
	{"nohup", "1", ""},
	{"background", "2,3", ""},
	{"each", "1,2,3,13,15,10", ""},
	{"odd", "12,14,24,28,30", ""},
	{"job-control", "20,21,22", ""},
	{"real-time", "34,40,64", ""},
	{"blocked", "", "1,2,10,12,13,14,15,20,28,40"},
	{"both", "13,15", "15,17,20"},
	{"continue", "18", ""},
}

// TestDispositions compares what a command finds with what it finds without retry.
func TestDispositions(t *testing.T) {
	t.Parallel()
	for _, setup := range setups {
		for _, options := range []string{"", "--timeout 100", "--kill-after 3", "--idle-timeout 100", "--stdin replay"} {
			t.Run(setup.name+options, func(t *testing.T) {
				dispose := fmt.Sprintf("%s ignore=%s block=%s ", playing("dispose"), setup.ignored, setup.blocked)
				show := ` /bin/grep ^Sig[^PQ] /proc/self/status; `
				r := beginScript(t, dispose+show+"echo; "+dispose+`"$RETRY" `+options+show)
				r.exits(0)
				bare, under, _ := strings.Cut(r.said(), "\n\n")
				if bare+"\n" != under || strings.Count(bare, "\n") != 2 {
					t.Errorf("bare:\n%s\nunder retry:\n%s", bare, under)
				}
			})
		}
	}
}

// TestIgnoredInRetry sends what was ignored when retry started, then what was not.
func TestIgnoredInRetry(t *testing.T) {
	t.Parallel()
	ignored := []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGTERM, syscall.SIGUSR1,
	}
	for _, number := range ignored {
		t.Run(unix.SignalName(number), func(t *testing.T) {
			r := prepare(t, "sh", "-c", `RETRY_TEST_ROLE=dispose exec "$PLAY" ignore=$1 block= "$RETRY" --delay 300 -c '
				echo attempt; exec sleep 300.$MARK'`, "sh", strconv.Itoa(int(number)))
			r.start()
			r.hears("attempt")
			child := r.sleeps(300)
			r.send(number)
			_ = syscall.Kill(child, number)
			if !ignores(t, child, number) || !ignores(t, r.pid(), number) {
				t.Fatal("it is not ignored")
			}
			r.stillSleeps(300)
			_ = syscall.Kill(child, syscall.SIGKILL)
			r.hears("sleeping")
			r.send(number)
			if !ignores(t, r.pid(), number) {
				t.Fatal("it is not ignored any more")
			}
			last := syscall.SIGTERM
			if number == last {
				last = syscall.SIGHUP
			}
			r.send(last)
			r.dies(last)
		})
	}
}

// ignores reports whether the kernel drops a signal to a process. One that was sent before can't be pending then.
func ignores(t *testing.T, pid int, number syscall.Signal) bool {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "\nSigIgn:\t")
	line, _, _ := strings.Cut(after, "\n")
	mask, err := strconv.ParseUint(line, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return mask&(1<<(number-1)) != 0
}

// TestNohup is the usual way to ignore HUP.
func TestNohup(t *testing.T) {
	t.Parallel()
	r := prepare(t, "sh", "-c", `exec nohup "$RETRY" sleep 300.$MARK`).start()
	r.sleeps(300)
	r.send(syscall.SIGHUP)
	if !ignores(t, r.pid(), syscall.SIGHUP) {
		t.Error("retry doesn't ignore HUP")
	}
	r.stillSleeps(300)
	r.send(syscall.SIGTERM)
	r.dies(syscall.SIGTERM)
}

// TestKilled guards the command from outliving retry.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, options := range [][]string{nil, {"--timeout", "100"}, {"--retry-if", "output:x"}} {
		r := begin(t, append(options, "sh", "-c", neverEnding)...)
		r.sleeps(300)
		// The creating thread counts, not the process: let threads come and go.
		time.Sleep(50 * time.Millisecond)
		r.stillSleeps(300)
		r.send(syscall.SIGKILL)
		r.dies(syscall.SIGKILL)
		r.gone()
	}
}

// TestDeaths has the command die of each signal: some end retrying, others are failures like any.
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

// TestSignalDeathIsNoCore guards against a second core where the command's death is handed on.
func TestSignalDeathIsNoCore(t *testing.T) {
	t.Parallel()
	r := prepare(t, "sh", "-c", `ulimit -c "$(ulimit -Hc)"; exec "$RETRY" -c 'ulimit -c 0; kill -QUIT $$'`)
	r.command.Dir = t.TempDir()
	r.start().dies(syscall.SIGQUIT)
	if left, err := os.ReadDir(r.command.Dir); err != nil || len(left) > 0 || r.status.CoreDump() {
		t.Errorf("%v, %v, core: %v", left, err, r.status.CoreDump())
	}
}

// TestManySignals floods retry while the command cleans up, which must neither end the wait nor cut it.
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

// TestBlockedStandardError has nobody read what retry says. One TERM ends it all the same.
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

// fullPipe is the writing end of a pipe that holds all it can, and that nobody reads.
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

// TestSignalBeforeTheRun has signals do what they do to any program as long as there is no command.
func TestSignalBeforeTheRun(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"report": {"--report", "fifo", "true"},
		"plan":   {"--plan", "-n", "1000"},
		"help":   {"--help"},
	} {
		for _, number := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1} {
			t.Run(name+" "+unix.SignalName(number), func(t *testing.T) {
				r := prepare(t, append([]string{binary}, words...)...)
				r.command.Dir = t.TempDir()
				if err := unix.Mkfifo(filepath.Join(r.command.Dir, "fifo"), 0o666); err != nil {
					t.Fatal(err)
				}
				r.command.Stdout = fullPipe(t)
				r.start()
				until(t, "it to wait", func() bool { return waits(r.pid()) }, r.said)
				r.send(number)
				r.dies(number)
			})
		}
	}
}

// waits reports whether a thread of the process is in a write to standard output, or opens a report.
func waits(pid int) bool {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
	toStandardOutput := fmt.Sprintf("%d 0x1 ", unix.SYS_WRITE)
	open := fmt.Sprintf("%d ", unix.SYS_OPENAT)
	flags := fmt.Sprintf(" %#x ", unix.O_WRONLY|unix.O_APPEND|unix.O_CREAT|unix.O_CLOEXEC)
	return slices.ContainsFunc(tasks, func(task string) bool {
		call, _ := os.ReadFile(task)
		text := string(call)
		return strings.HasPrefix(text, toStandardOutput) || strings.HasPrefix(text, open) && strings.Contains(text, flags)
	})
}

// TestUnusualSignals sends what is seldom sent. Some reach the command alone, the others end it and retry.
func TestUnusualSignals(t *testing.T) {
	t.Parallel()
	for _, number := range []syscall.Signal{syscall.SIGPWR, syscall.SIGIO, syscall.SIGVTALRM, 35, 50, 64} {
		t.Run(strconv.Itoa(int(number)), func(t *testing.T) {
			r := begin(t, "bash", "-c", fmt.Sprintf(`trap 'echo got; exit 0' %d; echo started; while :; do sleep 0.02; done`, number))
			r.hears("started")
			r.send(number)
			r.exits(0)
			r.saidTimes(1, "got")
		})
	}
	for _, number := range []syscall.Signal{
		syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSTKFLT, syscall.SIGSYS,
		syscall.SIGTRAP, syscall.SIGXCPU,
	} {
		t.Run(unix.SignalName(number), func(t *testing.T) {
			r := begin(t, "-n", "5", "--delay", "0", "sh", "-c", "ulimit -c 0; "+neverEnding)
			r.sleeps(300)
			r.send(number)
			r.dies(number)
			r.goneAlready()
			r.saidTimes(0, "goroutine")
		})
	}
}

// TestInterruptReachesGroup sends INT and QUIT to retry alone. A shell waits for what it runs, which has to get them too.
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

// TestTermAmongOthers sends one TERM in a flood of signals that only pass through.
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
