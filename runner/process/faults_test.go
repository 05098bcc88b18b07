//go:build linux

package process_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A fault is one round: a randomly composed call, what is done to it, and how it may end.
type fault struct {
	random  *rand.Rand
	options []string
	script  string
	feed    int    // 1 if its input is a pipe, otherwise 0
	shell   string // follows the call: redirections
	room    string // precedes the call: a limit on the size of files, which has the effect of a full disk
	signals []syscall.Signal
	kill    bool // kill whatever the attempt started
	block   bool // nobody reads standard error

	statuses map[string]bool // how the call may end
}

// TestFaults harms random calls in random ways. RETRY_FAULT_ROUNDS is the number of calls, and RETRY_FAULT_SEED repeats them.
func TestFaults(t *testing.T) {
	t.Parallel()
	rounds, seed := faultRounds(t, 20)
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for i := range numbers {
				t.Run(strconv.Itoa(i), func(t *testing.T) {
					drawFault(rand.New(rand.NewPCG(seed, uint64(i)))).happen(t)
				})
			}
		})
	}
	for i := range rounds {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
}

// faultRounds returns the number of rounds and the seed from which they are drawn.
func faultRounds(t *testing.T, rounds int) (int, uint64) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("RETRY_FAULT_ROUNDS"); text != "" {
		rounds, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("RETRY_FAULT_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("RETRY_FAULT_SEED=%d RETRY_FAULT_ROUNDS=%d", seed, rounds)
	return rounds, seed
}

// commands are scripts, and how an undisturbed call with each of them may end.
var commands = []struct{ script, ends string }{
	{`exit 0`, "exit 0"},
	{`exit 3`, "exit 3"},
	{`[ $RETRY_ATTEMPT = 3 ]`, "exit 0 exit 1"},
	{`kill -TERM $$`, "SIGTERM"},
	{`kill -KILL $$`, "exit 137"},
	{`kill -INT $$`, "SIGINT"},
	{`echo some output; echo more >&2; exit 4`, "exit 4"},
	{`head -c 300000 /dev/zero; exit 5`, "exit 5"},
	{`cat; exit 6`, "exit 6"},
	{`sleep 0.0$((RETRY_ATTEMPT % 9)); exit 7`, "exit 7"},
	{`exec sleep 300.$MARK`, "never"},
	{`sleep 301.$MARK & setsid sleep 302.$MARK & (setsid sleep 303.$MARK &) ; exec sleep 300.$MARK`, "never"},
	{`trap '' TERM INT HUP; sleep 301.$MARK & while :; do sleep 0.01; done`, "never"},
	{`trap 'exit 0' TERM INT HUP; while :; do echo x; sleep 0.01; done`, "never"},
	{`while :; do setsid sleep 301.$MARK & sleep 0.02; done`, "never"},
}

func drawFault(random *rand.Rand) *fault {
	f := &fault{random: random, statuses: map[string]bool{}}
	f.options = []string{"-n", strconv.Itoa(1 + random.IntN(4)), "--kill-after", "0.2", "--sweep", "--delay",
		f.one("0", "1us", "10ms", "50ms")}
	command := commands[random.IntN(len(commands))]
	f.script = "ulimit -c 0; " + command.script
	endless := command.ends == "never"
	for status := range strings.SplitSeq(strings.ReplaceAll(command.ends, " exit", ",exit"), ",") {
		f.statuses[status] = !endless
	}
	f.limit(endless)
	f.redirect()
	f.fill()
	f.disturb()
	return f
}

func (f *fault) one(choices ...string) string { return choices[f.random.IntN(len(choices))] }

// limit draws time limits. An endless command needs one.
func (f *fault) limit(endless bool) {
	short := f.one("0.05", "0.1", "0.2")
	switch f.random.IntN(4) {
	case 0:
		f.options = append(f.options, "--timeout", short)
	case 1:
		f.options = append(f.options, "--deadline", short)
		f.allow("exit 0", "exit 1") // there are fewer attempts than without the limit
	case 2:
		if strings.Contains(f.script, "echo x") {
			f.options = append(f.options, "--timeout", short)
		} else {
			f.options = append(f.options, "--idle-timeout", short)
		}
	default:
		if !endless {
			return
		}
		f.options = append(f.options, "--timeout", short)
	}
	f.allow("exit 124")
	if strings.Contains(f.script, "RETRY_ATTEMPT = 3") {
		f.allow("exit 0", "exit 1")
	}
}

func (f *fault) allow(endings ...string) {
	for _, ending := range endings {
		f.statuses[ending] = true
	}
}

// redirect draws redirections, some of them to broken streams. A failed write ends each command in its own way: dash
// with status 2, cat and head with 1. A failed write of retry's own makes retry exit with 125 or, like the command, end
// by SIGPIPE.
func (f *fault) redirect() {
	for range f.random.IntN(3) {
		f.options = append(f.options, [][]string{
			{"--retry-if", "output:x", "--retry-if", "any"}, {"--stdout", "last"}, {"--stderr", "last"}, {"--stdin", "replay"},
			{"--stdin", "none"}, {"-v"}, {"--consecutive", "1"}, {"--report", "/dev/full"}, {"--stop-if", "stdout:never"},
		}[f.random.IntN(9)]...)
	}
	f.feed = f.random.IntN(2)
	f.shell = f.one("", "", "</dev/null", "<input", "| (exit 0)", "| head -c 10 >/dev/null", ">/dev/full", "2>/dev/full",
		">&-", "2>&-", "<&-", ">/dev/full 2>&1", "2>&1 | (exec <&-; sleep 0.1)")
	if strings.Contains(f.shell, "full") || strings.Contains(f.shell, "|") || strings.Contains(f.shell, "&-") {
		f.allow("exit 125", "exit 1", "exit 2", "SIGPIPE", "exit 141")
	}
}

// fill draws a limit that has the effect of a full disk.
func (f *fault) fill() {
	if f.random.IntN(4) == 0 {
		f.room = "ulimit -f 64; "
		f.allow("exit 125", "exit 153") // SIGXFSZ ends a command that writes too much
	}
}

// disturb draws the signals to retry and whether its helpers are killed.
func (f *fault) disturb() {
	for range f.random.IntN(3) {
		number := []syscall.Signal{
			syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGKILL, syscall.SIGUSR1, syscall.SIGWINCH,
		}[f.random.IntN(6)]
		if number == syscall.SIGKILL && strings.Contains(f.shell, "|") {
			number = syscall.SIGTERM // otherwise what outlives retry would keep the pipe open, and the reader would wait for it
		}
		f.signals = append(f.signals, number)
		switch number {
		case syscall.SIGUSR1:
			f.allow("exit 138") // it ends a command that doesn't handle it
		case syscall.SIGWINCH:
		default:
			f.allow(ending(syscall.WaitStatus(number)))
		}
	}
	if len(f.signals) == 0 && f.random.IntN(3) == 0 {
		f.kill = true
		f.allow("exit 137")
	}
	if f.shell == "" && f.random.IntN(4) == 0 && slices.ContainsFunc(f.signals, endsRetry) {
		f.shell = "2>&3" // a full pipe: only a signal ends what is waiting for its reader
		f.block = true
	}
}

// endsRetry reports whether the signal tells retry to end.
func endsRetry(number syscall.Signal) bool {
	return slices.Contains([]syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGKILL}, number)
}

// happen makes the call, harms it, and inspects what is left.
func (f *fault) happen(t *testing.T) {
	directory := t.TempDir()
	temporary := filepath.Join(directory, "temporary")
	err := errors.Join(os.Mkdir(temporary, 0o777),
		os.WriteFile(filepath.Join(directory, "input"), make([]byte, 200000), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	// The shell reports retry's process as soon as there is one, and how it ended, whatever retry's output is connected to.
	r := prepare(t, append([]string{"bash", "-c", []string{"", "cat input | "}[f.feed] + `sh -c '
		echo $$ >pid; ` + f.room + `exec "$RETRY" "$@"' sh "$@" ` + f.shell + `
		echo ${PIPESTATUS[` + strconv.Itoa(f.feed) + `]} >status`, "bash"}, append(f.options, "sh", "-c", f.script)...)...)
	r.command.Dir = directory
	r.command.Env = append(r.command.Env, "TMPDIR="+temporary)
	if f.block {
		r.command.ExtraFiles = []*os.File{fullPipe(t)}
	}
	r.start()
	for _, number := range f.signals {
		time.Sleep(time.Duration(f.random.Int64N(int64(60 * time.Millisecond))))
		if f.block {
			until(t, "retry to start", func() bool { return readNumber(directory+"/pid") > 0 }, r.said)
		}
		if pid := readNumber(directory + "/pid"); pid > 0 && readNumber(directory+"/status") < 0 {
			_ = syscall.Kill(pid, number)
		}
	}
	if f.kill {
		time.Sleep(time.Duration(f.random.Int64N(int64(60 * time.Millisecond))))
		killHelpers(r, readNumber(directory+"/pid"))
	}
	r.end()
	f.inspect(t, r, readNumber(directory+"/status"), temporary)
}

func readNumber(file string) int {
	text, _ := os.ReadFile(file)
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return -1
	}
	return number
}

// killHelpers kills every process below retry.
func killHelpers(r *trial, retry int) {
	for _, pid := range r.living() {
		for at := parentOf(pid); retry > 1 && at > 1; at = parentOf(at) {
			if at == retry {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
}

// inspect checks the exit status, and that nothing is left.
func (f *fault) inspect(t *testing.T, r *trial, status int, temporary string) {
	t.Helper()
	describe := fmt.Sprintf("%sretry %q, command %q, shell %q, signals %v, kill %v; it said:\n%.2000s",
		f.room, f.options, f.script, f.shell, f.signals, f.kill, r.said())
	killed := false
	for _, number := range f.signals {
		killed = killed || number == syscall.SIGKILL
	}
	allowed := false
	for ending, possible := range f.statuses {
		allowed = allowed || possible && statusOf(ending) == status
	}
	if !allowed {
		t.Errorf("status %d, not among %v: %s", status, f.statuses, describe)
	}
	if !killed {
		r.goneAlready()
	}
	err := filepath.WalkDir(temporary, func(path string, entry fs.DirEntry, err error) error {
		if path != temporary {
			t.Errorf("left: %s: %s", path, describe)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if strings.Contains(r.said(), "goroutine") {
		t.Error(describe)
	}
}

// statusOf returns an ending as the status that a shell shows.
func statusOf(ending string) int {
	if text, found := strings.CutPrefix(ending, "exit "); found {
		status, _ := strconv.Atoi(text)
		return status
	}
	return map[string]int{"SIGHUP": 129, "SIGINT": 130, "SIGKILL": 137, "SIGPIPE": 141, "SIGTERM": 143}[ending]
}

// failingCalls are the system calls of retry itself that fail in TestInjectedFaults, and failures the errors with which
// they do. Calls that Go's runtime makes for itself are left out, because the runtime ends the program if they fail.
var (
	failingCalls = []string{
		"read", "write", "openat", "?poll", "ppoll", "wait4", "waitid", "kill", "timerfd_create", "timerfd_settime", "pipe2",
		"ioctl", "prctl", "getdents64", "readlinkat", "pread64", "pwrite64", "ftruncate", "flock", "inotify_init1",
		"inotify_add_watch", "tee", "faccessat2", "splice", "memfd_create",
	}
	failures = []string{"EINTR", "EIO", "EAGAIN", "ENOSPC"}
)

// TestInjectedFaults makes one system call fail, in retry or in what it runs. Whatever that does to the run, it must
// end, nothing must be left, and Go's runtime must not print anything.
//
// Two failures are left out, because no kernel reports them and Go relies on that. One is a failing read if the command
// would never end by itself: that may be the read in syscall.ForkExec that learns whether the command could be
// executed, after which ForkExec waits for the command to end. The other is EAGAIN from a read or write that would not
// have blocked: Go waits for the stream to become ready, which has already been reported.
func TestInjectedFaults(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed, so no system call can be made to fail")
	}
	rounds, seed := faultRounds(t, 8)
	calls := [][]string{
		{"sh", "-c", "exit 3"},
		{"--timeout", "0.2", "sh", "-c", "sleep 301.$MARK & exec sleep 300.$MARK"},
		{"--deadline", "0.3", "sh", "-c", "exec setsid sleep 300.$MARK"},
		{"-o", "sh", "-c", "head -c 200000 /dev/zero; exit 3"},
		{"--stdin", "replay", "sh", "-c", "cat >/dev/null; exit 3"},
		{"--transient", "--retry-if", "output:x", "sh", "-c", "echo x; exit 3"},
		{"--report", "report", "--judge", "exit 1", "sh", "-c", "echo x"},
		{"--budget", "./budget", "sh", "-c", "read x; exit 3"},
	}
	for i := range rounds {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		call := failingCalls[random.IntN(len(failingCalls))]
		failure := failures[random.IntN(len(failures))]
		if failure == "EAGAIN" && (call == "read" || call == "write") {
			failure = "EIO"
		}
		words := []string{
			"strace", "-f", "-o", "/dev/null", "-e", "trace=" + call, "-e",
			fmt.Sprintf("inject=%s:error=%s:when=%d", call, failure, 1+random.IntN(40)),
			binary, "-n", "3", "--delay", "1ms", "--kill-after", "0.2", "--sweep",
		}
		run := calls[random.IntN(len(calls))]
		if call == "read" && strings.Contains(run[len(run)-1], "sleep") {
			run = calls[0]
		}
		words = append(words, run...)
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			r := prepare(t, words...)
			r.command.Dir = t.TempDir()
			r.command.Stdin = strings.NewReader(strings.Repeat("line\n", 20000))
			r.start().end()
			r.gone() // strace may end the traced processes a little later than retry ends
			for _, bad := range []string{"goroutine ", "fatal error", "panic"} {
				if strings.Contains(r.said(), bad) {
					t.Errorf("%q: it said:\n%.3000s", words, r.said())
				}
			}
		})
	}
}
