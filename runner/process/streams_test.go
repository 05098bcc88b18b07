//go:build unix

package process_test

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// soon is how long something that should take no time may take on a busy machine.
const soon = 30 * time.Second

// A flow is a run of the real program whose streams the test controls. It has no terminal, no input and a directory of
// its own, and doesn't outlive the test.
type flow struct {
	*exec.Cmd
	t   *testing.T
	dir string
}

// flowing prepares a run of retry.
func flowing(t *testing.T, args ...string) *flow { return flowingScript(t, `exec retry "$@"`, args...) }

// flowingScript prepares a run of a shell script, with retry on its PATH.
func flowingScript(t *testing.T, script string, args ...string) *flow {
	t.Helper()
	f := &flow{exec.Command("sh", append([]string{"-c", script, "sh"}, args...)...), t, t.TempDir()}
	f.Dir = f.dir
	f.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "RETRY_OPTS=", "LC_ALL=C",
		"GORACE=atexit_sleep_ms=0")
	f.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	f.Stdout, f.Stderr = f.create("stdout"), f.create("stderr")
	return f
}

// create creates a file in the run's directory. Unlike with a pipe, nobody waits for background processes to close it.
func (f *flow) create(name string) *os.File {
	f.t.Helper()
	file, err := os.Create(filepath.Join(f.dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { file.Close() })
	return file
}

// pipe returns a pipe. The test may close its ends before the test itself ends.
func (f *flow) pipe() (r, w *os.File) {
	f.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func (f *flow) start() *flow {
	f.t.Helper()
	if err := f.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		_ = syscall.Kill(-f.Process.Pid, syscall.SIGKILL)
		if f.ProcessState == nil {
			_ = f.Wait()
		}
	})
	return f
}

// wait waits for the run to end, which must happen soon.
func (f *flow) wait() syscall.WaitStatus {
	f.t.Helper()
	late := time.AfterFunc(soon, func() {
		f.t.Error("it hangs")
		_ = f.Process.Kill()
	})
	defer late.Stop()
	var exit *exec.ExitError
	if err := f.Wait(); err != nil && !errors.As(err, &exit) {
		f.t.Fatal(err)
	}
	return f.ProcessState.Sys().(syscall.WaitStatus)
}

// exits starts the run unless it has been started, and checks that it exits with a status.
func (f *flow) exits(want int) {
	f.t.Helper()
	if f.Process == nil {
		f.start()
	}
	if ws := f.wait(); !ws.Exited() || ws.ExitStatus() != want {
		f.t.Errorf("%q: wait status %#x, want exit %d\n%s", f.Args[4:], int(ws), want, f.tail("stderr"))
	}
}

// dies checks that the run is ended by a signal.
func (f *flow) dies(want syscall.Signal) {
	f.t.Helper()
	if ws := f.wait(); !ws.Signaled() || ws.Signal() != want {
		f.t.Errorf("%q: wait status %#x, want %v\n%s", f.Args[4:], int(ws), want, f.tail("stderr"))
	}
}

// read returns the contents of a file in the run's directory.
func (f *flow) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

func (f *flow) tail(name string) string {
	text := f.read(name)
	return text[max(0, len(text)-1000):]
}

// wrote checks the contents of a file in the run's directory.
func (f *flow) wrote(name, want string) {
	f.t.Helper()
	if got := f.read(name); got != want {
		f.t.Errorf("%q: %s is %.1000q, want %.1000q", f.Args[4:], name, got, want)
	}
}

// awaits waits until a file in the run's directory contains a text.
func (f *flow) awaits(name, text string) {
	f.t.Helper()
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		got, _ := os.ReadFile(filepath.Join(f.dir, name))
		if strings.Contains(string(got), text) {
			return
		}
		if time.Since(began) > soon {
			f.t.Fatalf("%q: waited in vain for %q; %s is %.1000q", f.Args[4:], text, name, got)
		}
	}
}

// expect reads exactly the text want, in whatever pieces.
func expect(t *testing.T, from io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(from, got); string(got) != want {
		t.Fatalf("got %q, %v, want %q", got[:n], err, want)
	}
}

// A stream of which no option asks anything is inherited, including its file offset and being a terminal.
func TestStreamsAreInherited(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	for _, test := range []struct {
		inherited string // which of the descriptors
		options   []string
	}{
		{"012", nil},
		{"012", []string{"--timeout", "1h", "--deadline", "2h", "--retry-if", "7", "--stdin", "inherit"}},
		{"012", []string{"--report", "report", "--stdin", "replay"}}, // the input is a regular file
		{"12", []string{"--stdin", "none"}},
		{"02", []string{"--success-if", "stdout:", "--fail-if", "stdout:x"}},
		{"01", []string{"--stop-if", "stderr:x"}},
		{"0", []string{"--retry-if", "output:x"}},
		{"02", []string{"-o"}},
		{"02", []string{"--stdout", "last"}},
		{"01", []string{"--stderr", "last"}},
		{"0", []string{"--idle-timeout", "1h"}},
	} {
		const script = `x=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2); echo "$x" >links; echo`
		f := flowing(t, append(test.options, "--", "sh", "-c", script)...)
		f.Stdin = f.create("stdin")
		f.exits(0)
		got := ""
		for i, link := range strings.Split(strings.TrimSpace(f.read("links")), "\n") {
			if link == filepath.Join(f.dir, []string{"stdin", "stdout", "stderr"}[i]) {
				got += strconv.Itoa(i)
			}
		}
		if got != test.inherited {
			t.Errorf("%q: inherited %s, want %s of\n%s", test.options, got, test.inherited, f.read("links"))
		}
	}
}

// Matched output is passed on as it comes. A match across writes is found, and counts only at the end.
func TestMatchedOutputIsLive(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status  int
		options []string
	}{
		{0, nil},
		{0, []string{"--success-if", "output:^seen$"}},
		{0, []string{"--stop-if", "output:seen"}},
		{1, []string{"--fail-if", "output:seen"}},
		{1, []string{"--success-if", "output:seem"}},
		{0, []string{"--idle-timeout", "1h"}},
	} {
		for _, to := range []string{"", " >&2"} {
			script := `{ printf see; read x; printf n; read x; } 2>&1` + to
			f := flowing(t, append(test.options, "-n", "1", "-qq", "--", "sh", "-c", script)...)
			stdin, release := f.pipe()
			output, w := f.pipe()
			f.Stdin, f.Stdout, f.Stderr = stdin, w, w
			f.start()
			w.Close()
			expect(t, output, "see")
			fmt.Fprintln(release)
			expect(t, output, "n")
			fmt.Fprintln(release)
			f.exits(test.status)
		}
	}
}

// A daemon that an attempt leaves behind keeps its streams open, and doesn't keep retry waiting.
func TestBackgroundHoldsNothing(t *testing.T) {
	t.Parallel()
	for _, options := range [][]string{
		{"--success-if", "stdout:ready"}, {"-o"}, {"--stderr", "last"}, {"--idle-timeout", "1h"}, {"--fail-if", "stderr:x"},
	} {
		t.Run(options[0], func(t *testing.T) {
			t.Parallel()
			f := flowing(t, append(options, "--", "sh", "-c", `sleep 300 & echo $! >child; echo ready`)...)
			began := time.Now()
			f.exits(0)
			if took := time.Since(began); took > soon {
				t.Errorf("took %v", took)
			}
			f.wrote("stdout", "ready\n")
			child, _ := strconv.Atoi(strings.TrimSpace(f.read("child")))
			if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
				t.Errorf("the child: %v", err)
			}
		})
	}
	t.Run("noisy", func(t *testing.T) {
		t.Parallel()
		f := flowing(t, "--success-if", "stdout:ready", "--", "sh", "-c", `echo ready; yes & echo $! >child`)
		f.Stdout = nil
		f.exits(0)
	})
	// If nothing is left behind, retry doesn't wait at all.
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		f := flowing(t, "-qq", "-n", "40", "--delay", "0", "-o", "--stdin", "replay", "--stop-if", "output:x", "--", "false")
		began := time.Now()
		f.exits(1)
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("40 attempts took %v", took)
		}
	})
}

// A process that shares a regular file with retry finds it rewound as early as during the sleep.
func TestOffsetIsSetBackAtOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"guarded", "inherit", "replay"} {
		options := []string{"--delay", "1h"}
		if mode != "guarded" {
			options = append(options, "--stdin", mode)
		}
		f := flowing(t, append(options, "--", "sh", "-c", `dd bs=4 count=1 2>/dev/null >&2; exit 1`)...)
		stdin := f.create("stdin")
		if _, err := stdin.WriteString("0123456789"); err != nil {
			t.Fatal(err)
		}
		if _, err := stdin.Seek(2, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		f.Stdin = stdin
		f.start()
		f.awaits("stderr", "sleeping 1h")
		if at, err := stdin.Seek(0, io.SeekCurrent); at != 2 || err != nil {
			t.Errorf("%s: the offset is %d, %v, want 2", mode, at, err)
		}
		_ = f.Process.Signal(syscall.SIGTERM)
		f.dies(syscall.SIGTERM)
	}
}

// socketPair returns two connected sockets that no process inherits by accident.
func socketPair(t *testing.T) [2]int {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(pair[0])
	unix.CloseOnExec(pair[1])
	return pair
}

// The end of a socket's stream is as final as that of a pipe.
func TestSocketInput(t *testing.T) {
	t.Parallel()
	const spent = "standard input was consumed"
	for _, test := range []struct {
		name, command string
		end           func(peer int)
		options       []string
		attempts      string
		spent         bool
	}{
		{"drained", "cat >/dev/null", func(peer int) { unix.Close(peer) }, nil, "1", true},
		{"shut", "cat >/dev/null", func(peer int) { _ = unix.Shutdown(peer, unix.SHUT_WR) }, nil, "1", true},
		{"inherit", "cat >/dev/null", func(peer int) { unix.Close(peer) }, []string{"--stdin", "inherit"}, "123", false},
		{"begun", "head -c 1 >/dev/null", func(peer int) { unix.Close(peer) }, nil, "1", true},
		{"begun while open", "head -c 1 >/dev/null", func(int) {}, nil, "1", true},
		{"untouched", "true", func(peer int) { unix.Close(peer) }, nil, "123", false},
		{"open", "head -c 5 >/dev/null", func(int) {}, []string{"-n", "1"}, "1", false},
		{"waiting", "true", func(int) {}, nil, "123", false},
		{"replay", "cat >&2", func(peer int) { unix.Close(peer) }, []string{"--stdin", "replay"}, "123", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pair := socketPair(t)
			if _, err := unix.Write(pair[1], []byte("bytes")); err != nil {
				t.Fatal(err)
			}
			test.end(pair[1])
			script := test.command + `; printf $RETRY_ATTEMPT; exit 3`
			f := flowing(t, append([]string{"-n", "3", "--delay", "0"}, append(test.options, "--", "sh", "-c", script)...)...)
			stdin := os.NewFile(uintptr(pair[0]), "socket")
			defer stdin.Close()
			f.Stdin = stdin
			f.exits(3)
			f.wrote("stdout", test.attempts)
			said := f.read("stderr")
			if strings.Contains(said, spent) != test.spent {
				t.Errorf("retry said %q", said)
			}
			if n := strings.Count(said, "bytes"); test.name == "replay" && n != 3 {
				t.Errorf("the input was read %d times, want 3", n)
			}
		})
	}
}

// A replayed input reaches the first attempt as it arrives, and also the next ones while there may be more.
func TestReplayOfSlowProducer(t *testing.T) {
	t.Parallel()
	f := flowing(t, "-qq", "--delay", "0", "--stdin", "replay", "--", "sh", "-c",
		`read x; echo $x; read x; echo $x; [ $RETRY_ATTEMPT = 2 ] || exit 1; read x; echo $x`)
	stdin, producer := f.pipe()
	stdout, w := f.pipe()
	f.Stdin, f.Stdout = stdin, w
	f.start()
	stdin.Close()
	w.Close()
	fmt.Fprintln(producer, "one")
	expect(t, stdout, "one\n")
	fmt.Fprintln(producer, "two")
	expect(t, stdout, "two\none\ntwo\n")
	fmt.Fprintln(producer, "three")
	expect(t, stdout, "three\n")
	f.exits(0) // with the producer still there
}

// Once the input is spooled completely, each attempt has a descriptor of its own, so that neither the attempt nor what
// it leaves in the background can affect the next one's input.
func TestReplayBySpool(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	f := flowing(t, "-qq", "--delay", "0", "-n", "4", "--stdin", "replay", "--", "sh", "-c", `
		readlink /proc/$$/fd/0 >link.$RETRY_ATTEMPT
		if [ $RETRY_ATTEMPT != 1 ] && echo x 2>/dev/null >&0; then exit 9; fi
		if [ $RETRY_ATTEMPT = 2 ]; then (while head -c 1000 | grep -q .; do :; done) & fi
		cat >copy.$RETRY_ATTEMPT
		exit 1`)
	stdin, producer := f.pipe()
	f.Stdin = stdin
	input := noise(1 << 20)
	go func() {
		_, _ = producer.Write(input)
		producer.Close()
	}()
	f.exits(1)
	for _, attempt := range []string{"1", "3", "4"} {
		if f.read("copy."+attempt) != string(input) {
			t.Errorf("attempt %s got something else", attempt)
		}
	}
	for attempt, want := range map[string]string{"1": "pipe:", "2": os.TempDir(), "3": os.TempDir()} {
		if link := f.read("link." + attempt); !strings.HasPrefix(link, want) {
			t.Errorf("attempt %s reads %q, want %s", attempt, link, want)
		}
	}
}

// noise returns unpredictable bytes, the same in every run.
func noise(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	return data
}

// A spool without room is an error. It must not look like the end of the input or of the output.
func TestNoRoomForSpool(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, script string
		status       int
		want         string
	}{
		{"input", `head -c 1000000 /dev/zero | (ulimit -f 200; exec retry --stdin replay sh -c 'cat >/dev/null; echo whole')`,
			125, "retry: cat: standard input: write *: file too large\n"},
		{"input of a stubborn command", `head -c 1000000 /dev/zero | (ulimit -f 200
			exec retry --kill-after 100ms --stdin replay sh -c 'trap "" TERM; cat >/dev/null; echo whole')`,
			125, "retry: sh: standard input: write *: file too large\n"},
		{"output", `ulimit -f 200; exec retry -o sh -c 'head -c 10000000 /dev/zero && echo whole >&2'`,
			125, "retry: head: standard output: write *: file too large\n"},
		{"errors", `ulimit -f 200; exec retry --stderr last sh -c 'head -c 10000000 /dev/zero >&2 && echo whole'`,
			125, "retry: head: standard error: write *: file too large\n"},
		{"no directory for input", `head -c 1000000 /dev/zero |
			TMPDIR=/no/such retry --stdin replay sh -c 'cat >/dev/null; echo whole'`,
			125, "retry: cat: standard input: open /no/such/*: no such file or directory\n"},
		{"no directory for output", `TMPDIR=/no/such retry -o head -c 1000000 /dev/zero`,
			125, "retry: head: standard output: open /no/such/*: no such file or directory\n"},
		{"a little", `echo x | TMPDIR=/no/such retry -q -n 3 --delay 0 -o --stdin replay sh -c 'cat; exit 4' 2>/dev/null`,
			4, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := flowingScript(t, test.script)
			// The limit applies to every file of the run, so its output goes to pipes.
			stdout, w := f.pipe()
			stderr, we := f.pipe()
			f.Stdout, f.Stderr = w, we
			f.start()
			w.Close()
			we.Close()
			said := make(chan string)
			go func() {
				text, _ := io.ReadAll(stderr)
				said <- string(text)
			}()
			out, _ := io.ReadAll(stdout)
			text := <-said
			if ws := f.wait(); !ws.Exited() || ws.ExitStatus() != test.status {
				t.Errorf("wait status %#x", int(ws))
			}
			before, after, _ := strings.Cut(test.want, "*")
			// Output held until then may come before the error.
			if test.status == 125 && !(strings.Contains(text, before) && strings.HasSuffix(text, after)) {
				t.Errorf("retry said %q, want %q", text[max(0, len(text)-300):], test.want)
			}
			if strings.Contains(text+string(out), "whole") {
				t.Error("the command took the part that it got for the whole")
			}
		})
	}
}

// A temporary file has no name, is inaccessible to other users, and doesn't outlive retry, however retry ends.
func TestTemporaryFileIsPrivate(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	for _, by := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		f := flowingScript(t, `umask 0; exec retry "$@"`,
			"-o", "--stderr", "last", "--stdin", "replay", "--", "sh", "-c",
			`head -c 300000 /dev/zero | tee /dev/stderr; cat >/dev/null; echo >ready; exec sleep 300`)
		temporary := t.TempDir()
		f.Env = append(f.Env, "TMPDIR="+temporary)
		stdin, producer := f.pipe()
		f.Stdin = stdin
		f.start()
		_, _ = producer.Write(make([]byte, 300000))
		producer.Close()
		f.awaits("ready", "\n")
		var files []string
		until(t, "three temporary files", func() bool {
			files, _ = filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", f.Process.Pid))
			files = slices.DeleteFunc(files, func(link string) bool {
				name, _ := os.Readlink(link)
				return !strings.HasPrefix(name, temporary)
			})
			return len(files) == 3
		}, func() string { return strings.Join(files, " ") })
		for _, link := range files {
			var info unix.Stat_t
			if err := unix.Stat(link, &info); err != nil {
				t.Fatal(err)
			}
			if info.Mode != unix.S_IFREG|0o600 || info.Nlink != 0 || int(info.Uid) != os.Geteuid() {
				t.Errorf("a temporary file has mode %#o, %d names, user %d", info.Mode, info.Nlink, info.Uid)
			}
		}
		for _, when := range []string{"while it runs", "after"} {
			if names, err := os.ReadDir(temporary); len(names) != 0 || err != nil {
				t.Errorf("%s there is %v, %v", when, names, err)
			}
			if when == "while it runs" {
				_ = f.Process.Signal(by)
				f.dies(by)
			}
		}
	}
}

// When a signal ends retry, held output is written out once: to standard error if that is where the output of a failure goes.
func TestHeldAtSignal(t *testing.T) {
	t.Parallel()
	const hang = `echo out; echo err >&2; echo >ready; exec sleep 300`
	const clean = `trap 'echo clean; exit 0' TERM; echo out; echo err >&2; echo >ready; while :; do sleep 0.05; done`
	const fail = `echo out; echo err >&2; exit 1`
	for _, test := range []struct{ hold, script, stdout, stderr string }{
		{"-o", hang, "", "err\nout\n"},
		{"-o", clean, "", "err\nout\nclean\n"},
		{"-o", fail, "", "err\nout\n"},
		{"--stdout=last", hang, "out\n", "err\n"},
		{"--stdout=last", clean, "out\nclean\n", "err\n"},
		{"--stdout=last", fail, "out\n", "err\n"},
		{"--stderr=last", hang, "out\n", "err\n"},
		{"--stderr=last", fail, "out\n", "err\n"},
	} {
		options := []string{"-qq", test.hold, "--delay", "1h", "--report", "report", "--", "sh", "-c", test.script}
		f := flowing(t, options...).start()
		if test.script == fail {
			f.awaits("report", `"sleep"`)
		} else {
			f.awaits("ready", "\n")
		}
		_ = f.Process.Signal(syscall.SIGTERM)
		f.dies(syscall.SIGTERM)
		f.wrote("stdout", test.stdout)
		f.wrote("stderr", test.stderr)
	}
}

// When standard output has lost its reader, retry ends as the command would, by SIGPIPE, without another attempt.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	const stubborn = `trap '' PIPE; while echo a; do :; done 2>/dev/null; exit 1`
	const rarely = `trap '' PIPE; [ $RETRY_ATTEMPT = 2 ] && echo a; exit 1`
	for name, args := range map[string][]string{
		"sleeping":                       {"--delay", "1h", "--", "sh", "-c", `echo a; exit 1`},
		"sleeping under a deadline":      {"--deadline", "2h", "--delay", "1h", "--", "sh", "-c", `echo a; exit 1`},
		"sleeping in a streak":           {"--consecutive", "2", "--base", "1h", "--", "echo", "a"},
		"writing":                        {"--", "yes", "a"},
		"matched":                        {"--fail-if", "stdout:x", "--", "yes", "a"},
		"timed":                          {"--idle-timeout", "1h", "--", "yes", "a"},
		"ignoring SIGPIPE":               {"--delay", "1h", "--", "sh", "-c", stubborn},
		"matched, ignoring SIGPIPE":      {"--delay", "1h", "--fail-if", "stdout:x", "--", "sh", "-c", stubborn},
		"matched, with a child":          {"--fail-if", "stdout:x", "--", "sh", "-c", `sleep 300 & yes a`},
		"writing rarely":                 {"--delay", "50ms", "-n", "0", "-c", `[ $RETRY_ATTEMPT = 2 ] && echo a; exit 1`},
		"writing rarely, matched":        {"--delay", "50ms", "-n", "0", "--stop-if", "stdout:x", "-c", rarely},
		"not sleeping":                   {"--delay", "0", "-n", "0", "--", "sh", "-c", `[ $RETRY_ATTEMPT != 1 ] || echo a; exit 1`},
		"not sleeping, ignoring SIGPIPE": {"--delay", "0", "-n", "0", "--", "sh", "-c", `trap '' PIPE; echo a; exit 1`},
		"held":                           {"-o", "-c", `yes a | head -c 3000000`},
		"held to the end":                {"--stdout", "last", "-n", "1", "-c", `yes a | head -c 3000000; exit 1`},
		"sleeping, standard error alone": {"--stderr", "last", "--delay", "1h", "--", "sh", "-c", `echo a; exit 1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := flowing(t, args...)
			stdout, w := f.pipe()
			f.Stdout = w
			f.start()
			w.Close()
			expect(t, stdout, "a\n")
			stdout.Close()
			f.dies(syscall.SIGPIPE)
		})
	}
}

// A run doesn't depend on standard error.
func TestNobodyReadsStandardError(t *testing.T) {
	t.Parallel()
	const talk = `trap '' PIPE; for i in 1 2 3; do echo err >&2 || :; done; echo out; [ $RETRY_ATTEMPT = 2 ] || exit 3`
	for _, options := range [][]string{
		nil, {"-v"}, {"-o"}, {"--stderr", "last"}, {"--fail-if", "stderr:x"}, {"--idle-timeout", "1h"}, {"--report", "-"},
	} {
		f := flowing(t, append(options, "--delay", "0", "--", "sh", "-c", talk)...)
		r, w := f.pipe()
		r.Close()
		f.Stderr = w
		f.exits(0)
		want := "out\nout\n"
		if slices.Equal(options, []string{"-o"}) {
			want = "out\n"
		}
		f.wrote("stdout", want)
	}
	f := flowing(t, "-o", "-n", "2", "--delay", "0", "-c", `head -c 300000 /dev/zero; exit 3`)
	r, w := f.pipe()
	r.Close()
	f.Stderr = w
	f.exits(3)
	f.wrote("stdout", "")
}

// A stopped attempt prints nothing. When it continues, the idle timeout starts again.
func TestIdleTimeoutAfterStop(t *testing.T) {
	t.Parallel()
	for name, stopped := range map[string]time.Duration{
		"shorter than the timeout": 500 * time.Millisecond,
		"longer":                   2500 * time.Millisecond, // the timeout must not expire meanwhile
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := flowing(t, "--idle-timeout", "2s", "-n", "1", "--", "sh", "-c", `echo >ready; exec sleep 300`).start()
			f.awaits("ready", "\n")
			_ = f.Process.Signal(syscall.SIGSTOP)
			time.Sleep(stopped)
			continued := time.Now()
			_ = f.Process.Signal(syscall.SIGCONT)
			f.exits(124)
			if took := time.Since(continued); took < 2*time.Second {
				t.Errorf("it ended %v after it continued, want 2s or more", took)
			}
		})
	}
}

// A descriptor that is closed at the start must not be taken by a pipe or a file of retry's.
func TestStreamsClosedAtStart(t *testing.T) {
	t.Parallel()
	for closed := range 8 {
		script := `exec retry "$@"`
		for i, redirection := range []string{" <&-", " >&-", " 2>&-"} {
			if closed&(1<<i) != 0 {
				script += redirection
			}
		}
		for _, options := range [][]string{
			{"--report", "report"},
			{"--report", "report", "--stdin", "replay", "--fail-if", "output:x"},
			{"--report", "report", "--stdin", "replay", "-o", "--stderr", "last"},
		} {
			f := flowingScript(t, script, append(options, "-qq", "--delay", "0", "--", "sh", "-c",
				`cat >input.$RETRY_ATTEMPT; echo out; echo err >&2; [ $RETRY_ATTEMPT = 2 ]`)...)
			f.Stdin, _ = os.Open(os.DevNull)
			f.exits(0)
			if input := f.read("input.1") + f.read("input.2"); input != "" {
				t.Errorf("%s %q: the input was %q", script, options, input)
			}
			reports(t, f.read("report"))
			held := slices.Contains(options, "-o")
			want := map[string]string{"stdout": "out\nout\n", "stderr": "err\nerr\n"}
			if held {
				want = map[string]string{"stdout": "out\n", "stderr": "out\nerr\n"}
			}
			for i, name := range []string{"stdout", "stderr"} {
				if closed&(2<<i) != 0 {
					want[name] = ""
				}
				f.wrote(name, want[name])
			}
		}
	}
}

// reports parses the lines of a report.
func reports(t *testing.T, text string) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(text) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		lines = append(lines, fields)
	}
	return lines
}

// The names and types of the fields are a promise to users.
func TestReportFields(t *testing.T) {
	t.Parallel()
	began := time.Now()
	head := []string{"v", "call", "label", "time", "event"}
	always := map[string][]string{
		"start":   append([]string{"max_attempts"}, head...),
		"attempt": append([]string{"attempt", "start", "duration", "status", "end", "verdict", "reason"}, head...),
		"sleep":   append([]string{"attempt", "planned", "hint"}, head...),
		"result":  append([]string{"success", "status", "attempts", "ran", "slept", "elapsed", "failures", "schedule"}, head...),
	}
	sometimes := map[string][]string{
		"start": {"timeout", "deadline", "argv"}, "attempt": {"signal", "rule"},
		"result": {"signal", "reason", "cause", "failed", "down", "up"},
	}
	type object = map[string]any
	for _, test := range []struct {
		args   []string
		events string
		want   object // "event.field" of the last such line
	}{
		{[]string{"true"}, "start attempt result", object{
			"start.v": 1., "start.label": "true", "start.max_attempts": 10.,
			"attempt.attempt": 1., "attempt.status": 0., "attempt.end": "exit", "attempt.verdict": "success",
			"attempt.reason": "exit status 0", "attempt.rule": nil, "attempt.signal": nil,
			"result.success": true, "result.status": 0., "result.attempts": 1., "result.slept": 0., "result.reason": nil,
			"result.cause": nil, "result.failures": object{}, "result.down": nil, "result.up": nil, "result.failed": nil,
			"result.schedule": "--base 1s --factor 2 --cap 1m --jitter full -n 10",
		}},
		{[]string{"-n", "3", "--delays", "10ms,20ms", "--label", "x y", "-c", "exit 9"},
			"start attempt sleep attempt sleep attempt result", object{
				"start.max_attempts": 3., "start.label": "x y",
				"sleep.attempt": 2., "sleep.planned": 0.02, "sleep.hint": nil,
				"attempt.attempt": 3., "attempt.status": 9., "attempt.verdict": "retry",
				"result.success": false, "result.status": 9., "result.attempts": 3., "result.slept": 0.03,
				"result.cause": "attempts", "result.failures": object{"exit status 9": 3.}, "result.up": nil,
				"result.schedule": "--delays 10ms,20ms -n 3",
			}},
		{[]string{"--stop-if", "stdout:denied", "-n", "0", "--timeout=1h", "--deadline=90s", "-c", "echo denied; exit 4"},
			"start attempt result", object{
				"start.max_attempts": 0., "start.timeout": 3600., "start.deadline": 90.,
				"attempt.verdict": "stop", "attempt.rule": "--stop-if stdout:denied",
				"attempt.reason": "exit status 4 matches --stop-if stdout:denied", "result.status": 4.,
				"result.reason": "not retrying: exit status 4 matches --stop-if stdout:denied", "result.cause": "permanent",
				"result.down": 0., "result.schedule": "--base 1s --factor 2 --cap 1m --jitter full --deadline 1m30s",
			}},
		{[]string{"-n", "1", "-c", "kill -KILL $$"}, "start attempt result", object{
			"attempt.end": "signal", "attempt.signal": "SIGKILL", "attempt.status": 137., "result.status": 137.,
			"result.signal": nil,
		}},
		{[]string{"-n", "1", "-c", "kill -TERM $$"}, "start attempt result", object{
			"attempt.end": "signal", "attempt.signal": "SIGTERM", "result.status": 143., "result.signal": "SIGTERM",
		}},
		{[]string{"-n", "1", "--timeout", "100ms", "sleep", "300"}, "start attempt result", object{
			"attempt.end": "timeout", "attempt.status": 124., "result.status": 124.,
		}},
		{[]string{"-n", "1", "--idle-timeout", "100ms", "sleep", "300"}, "start attempt result", object{
			"attempt.end": "idle", "attempt.status": 124., "result.status": 124.,
		}},
		{[]string{"--deadline", "100ms", "sleep", "300"}, "start attempt result", object{
			"attempt.end": "deadline", "attempt.status": 124., "result.status": 124., "result.cause": "deadline",
		}},
		{[]string{"no-such-command", "x"}, "start attempt result", object{
			"attempt.end": "not-started", "attempt.status": 127., "attempt.verdict": "stop", "result.status": 127.,
		}},
		{[]string{"-n", "1", "-c", "kill $PPID; sleep 300"}, "start attempt result", object{
			"attempt.end": "interrupted", "attempt.signal": "SIGTERM", "attempt.verdict": "stop",
			"result.status": 143., "result.signal": "SIGTERM", "result.reason": "not retrying: SIGTERM received",
			"result.cause": "interrupted", "result.failures": object{},
		}},
		{[]string{"-n", "2", "--delay", "0", "-c", "exit $((RETRY_ATTEMPT < 2))"}, "start attempt sleep attempt result", object{
			"result.success": true, "result.down": 0., "result.failures": object{"exit status 1": 1.},
		}},
		{[]string{"--before-retry", "exit 1", "--delay", "0", "-c", "exit 9"}, "start attempt sleep result", object{
			"result.cause": "before-retry",
		}},
		{[]string{"--stagger", "1ms", "true"}, "start sleep attempt result", object{"sleep.attempt": 0.}},
		{[]string{"--report-argv", "echo", "a b"}, "start attempt result", object{"start.argv": []any{"echo", "a b"}}},
	} {
		f := flowing(t, append([]string{"-qq", "--report", "report"}, test.args...)...).start()
		f.wait()
		var events []string
		last := map[string]object{}
		calls := map[any]bool{}
		ran, slept := 0., 0.
		for _, line := range reports(t, f.read("report")) {
			event := line["event"].(string)
			events = append(events, event)
			last[event] = line
			calls[line["call"]] = true
			for _, name := range always[event] {
				if _, ok := line[name]; !ok {
					t.Errorf("%q: %s has no %s", test.args, event, name)
				}
			}
			for name := range line {
				if !slices.Contains(always[event], name) && !slices.Contains(sometimes[event], name) {
					t.Errorf("%q: %s has a field %s", test.args, event, name)
				}
			}
			for _, name := range []string{"time", "start"} {
				if text, ok := line[name].(string); ok {
					at, err := time.Parse(time.RFC3339Nano, text)
					if err != nil || at.Before(began.Add(-time.Second)) || at.After(time.Now().Add(time.Second)) {
						t.Errorf("%q: %s of %s is %s, %v", test.args, name, event, text, err)
					}
				}
			}
			if event == "attempt" {
				ran += line["duration"].(float64)
			} else if event == "sleep" {
				slept += line["planned"].(float64)
			}
		}
		if got := strings.Join(events, " "); got != test.events {
			t.Errorf("%q: events %s, want %s", test.args, got, test.events)
			continue
		}
		if len(calls) != 1 {
			t.Errorf("%q: %d call ids, want 1", test.args, len(calls))
		}
		for name, want := range test.want {
			event, field, _ := strings.Cut(name, ".")
			if got := last[event][field]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q: %s is %v, want %v", test.args, name, got, want)
			}
		}
		for field, want := range map[string]float64{"ran": ran, "slept": slept} {
			if got := last["result"][field].(float64); math.Abs(got-want) > 1e-6 {
				t.Errorf("%q: %s is %v, want %v", test.args, field, got, want)
			}
		}
	}
}

// Many calls may report to the same file.
func TestReportOfMany(t *testing.T) {
	t.Parallel()
	const calls, attempts = 8, 40
	f := flowingScript(t, fmt.Sprintf(`for i in $(seq %d); do retry "$@" & done; wait`, calls),
		"-qq", "--delay", "0", "-n", strconv.Itoa(attempts), "--report", "report", "--label", strings.Repeat("long ", 200),
		"false", "hunter2")
	f.exits(0)
	if strings.Contains(f.read("report"), "hunter2") {
		t.Error("the arguments are in the report")
	}
	events := map[any][]string{}
	for _, line := range reports(t, f.read("report")) {
		events[line["call"]] = append(events[line["call"]], line["event"].(string))
	}
	want := "start " + strings.Repeat("attempt sleep ", attempts-1) + "attempt result"
	for call, got := range events {
		if strings.Join(got, " ") != want {
			t.Errorf("call %v: %q", call, got)
		}
	}
	if len(events) != calls {
		t.Errorf("%d calls, want %d", len(events), calls)
	}
}

// When a report can no longer be written, that is reported once and the run goes on: its result is the command's.
func TestReportBreaksOff(t *testing.T) {
	t.Parallel()
	f := flowingScript(t, `ulimit -f 2; exec retry "$@"`, "-n", "100", "--delay", "0", "--report", "report", "-q",
		"sh", "-c", `mkdir ran.$RETRY_ATTEMPT; exit 3`)
	f.exits(3)
	told := strings.Split(strings.TrimSuffix(f.read("stderr"), "\n"), "\n")
	if len(told) != 2 || told[0] != "retry: --report: write report: file too large; going on without it" ||
		!strings.HasPrefix(told[1], "retry: mkdir: giving up after 100 attempts in ") {
		t.Errorf("stderr has %q", told)
	}
	if ran, _ := filepath.Glob(filepath.Join(f.dir, "ran.*")); len(ran) != 100 {
		t.Errorf("%d attempts were made", len(ran))
	}
}

// measured is a stream's size and checksum.
type measured struct {
	hash.Hash
	size int
}

func (m *measured) Write(data []byte) (int, error) {
	m.size += len(data)
	return m.Hash.Write(data)
}

func (m *measured) String() string { return fmt.Sprintf("%d bytes %x", m.size, m.Sum(nil)) }

func measure() *measured { return &measured{Hash: sha256.New()} }

// memory returns how many KiB retry may use. The race detector itself uses many times as much.
func memory(t *testing.T) int {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range info.Settings {
		if setting.Key == "-race" && setting.Value == "true" {
			return 160 << 10
		}
	}
	return 16 << 10
}

// Every byte is passed on, and retry doesn't use more memory than before.
func TestLargeStreams(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	const times = 4 // 64 MiB, several times the memory that retry may use
	block := noise(16 << 20)
	file := filepath.Join(t.TempDir(), "noise")
	if err := os.WriteFile(file, block, 0o666); err != nil {
		t.Fatal(err)
	}
	cat := append([]string{"--", "cat"}, slices.Repeat([]string{file}, times)...)
	repeated := func(n int) string {
		m := measure()
		for range n {
			_, _ = m.Write(block)
		}
		return m.String()
	}
	line := measure()
	_, _ = line.Write(make([]byte, 64<<20))
	_, _ = line.Write([]byte("needle\n"))
	all, twice, nothing := repeated(times), repeated(2*times), measure().String()
	for _, test := range []struct {
		name           string
		input          bool
		status         int
		args           []string
		stdout, stderr string
	}{
		{"plain", false, 0, cat, all, nothing},
		{"matched", false, 0, append([]string{"--fail-if", "output:no such words"}, cat...), all, nothing},
		{"matched without words", false, 0, append([]string{"--fail-if", "output:([a-z]{4}[0-9]){4}"}, cat...), all, nothing},
		{"idle", false, 0, append([]string{"--idle-timeout", "1h"}, cat...), all, nothing},
		{"held", false, 0, append([]string{"-o"}, cat...), all, nothing},
		{"held in vain", false, 3, append([]string{"-n", "1", "-o", "-c", `cat "$@"; exit 3`, "sh"}, cat[2:6]...),
			nothing, repeated(4)},
		{"replayed", true, 0, []string{"--delay", "0", "--stdin", "replay", "-c", `cat; [ $RETRY_ATTEMPT = 2 ]`},
			twice, nothing},
		{"all at once", true, 0, []string{"--delay", "0", "--stdin", "replay", "-o", "--stderr", "last",
			"--fail-if", `output:\bno \d+ such words`, "-c", `[ $RETRY_ATTEMPT = 2 ] || exit; cat`}, all, nothing},
		{"one line", false, 0, []string{"-n", "1", "--success-if", `stdout:^\x00.*needle$`, "-c",
			`head -c 67108864 /dev/zero; echo needle`}, line.String(), nothing},
		{"interleaved", false, 0, []string{"--fail-if", "output:no such words", "-c",
			`for i in 1 2 3 4; do cat "$0" & cat "$0" >&2; wait; done`, file}, repeated(4), repeated(4)},
	} {
		f := flowing(t, append([]string{"-qq"}, test.args...)...)
		if test.input {
			stdin, producer := f.pipe()
			f.Stdin = stdin
			feed := exec.Command("cat", cat[2:]...)
			feed.Stdout = producer
			if err := feed.Start(); err != nil {
				t.Fatal(err)
			}
			producer.Close()
			defer func() { stdin.Close(); _ = feed.Wait() }()
		}
		stdout, w := f.pipe()
		stderr, we := f.pipe()
		f.Stdout, f.Stderr = w, we
		f.start()
		held := peak(f.Process.Pid)
		w.Close()
		we.Close()
		errors, said := measure(), make(chan struct{})
		go func() {
			_, _ = io.Copy(errors, stderr)
			close(said)
		}()
		got := measure()
		_, _ = io.Copy(got, stdout)
		<-said
		if ws := f.wait(); !ws.Exited() || ws.ExitStatus() != test.status {
			t.Errorf("%s: wait status %#x, want exit %d", test.name, int(ws), test.status)
		}
		if got.String() != test.stdout {
			t.Errorf("%s: standard output is %v, want %s", test.name, got, test.stdout)
		}
		if errors.String() != test.stderr {
			t.Errorf("%s: standard error is %v, want %s", test.name, errors, test.stderr)
		}
		kib := <-held
		if kib == 0 || kib > memory(t) {
			t.Errorf("%s: %d KiB of memory, want up to %d", test.name, kib, memory(t))
		}
		t.Logf("%s: %d KiB", test.name, kib)
	}
}

// Attempts cost neither memory nor descriptors in the long run.
func TestManyAttempts(t *testing.T) {
	t.Parallel()
	for attempts, options := range map[string][]string{
		"2000": nil,
		"300": {"--stdin", "replay", "-o", "--stderr", "last", "--stop-if", "output:x", "--timeout", "1h",
			"--deadline", "2h", "--idle-timeout", "1h"},
	} {
		f := flowingScript(t, `ulimit -n 40; exec retry "$@"`,
			append(options, "-qq", "--delay", "0", "-n", attempts, "--report", "report", "--", "false")...)
		stdin, producer := f.pipe()
		f.Stdin = stdin
		_ = producer // stays open, so that each replay has to wait for more
		f.start()
		held := peak(f.Process.Pid)
		most, _ := strconv.Atoi(attempts)
		for n := 100; n <= most; n += 100 { // a busy machine may be slow, but it makes progress
			f.awaits("report", fmt.Sprintf(`"event":"attempt","attempt":%d,`, n))
		}
		f.exits(1)
		if kib := <-held; kib == 0 || kib > memory(t) {
			t.Errorf("%s attempts: %d KiB of memory, want up to %d", attempts, kib, memory(t))
		} else {
			t.Logf("%s attempts: %d KiB", attempts, kib)
		}
		if made := bytes.Count([]byte(f.read("report")), []byte(`"event":"attempt"`)); strconv.Itoa(made) != attempts {
			t.Errorf("%d attempts, want %s", made, attempts)
		}
	}
}

// Signals interrupt the wait for more input, which must not be taken for data or for the end.
func TestReplayIsInterrupted(t *testing.T) {
	t.Parallel()
	f := flowing(t, "--stdin", "replay", "-n", "1000", "--timeout", "100", "--delay", "0", "-qq", "--", "sh", "-c", "read x; exit 4")
	r, w := f.pipe()
	fmt.Fprintln(w, "a")
	f.Stdin = r
	f.start()
	over := make(chan struct{})
	defer close(over)
	go func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(50 * time.Microsecond):
				_ = f.Process.Signal(syscall.SIGWINCH)
			}
		}
	}()
	f.exits(4)
}
