//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// helpers are the commands that this test binary plays.
var helpers = map[string]func(){
	"argv":    argv,
	"flaky":   flaky,
	"signals": signals,
}

// statements are the words that the scripts have beside testscript's own.
var statements = map[string]func(*testscript.TestScript, bool, []string){
	"status": status,
	"told":   told,
	"gone":   gone,
	"lasted": lasted,
	"sleeps": sleeps,
}

func TestMain(m *testing.M) {
	// A background job of a plain shell, and nohup, leave signals ignored, and so would every command tested here. A
	// signal that is taken is back at its default in a child.
	for _, number := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(number) {
			signal.Notify(make(chan os.Signal, 1), number, syscall.SIGQUIT)
		}
	}
	testscript.Main(program{m}, helpers)
}

// program runs the tests with the real binary first on PATH.
type program struct{ *testing.M }

func (p program) Run() int {
	dir, err := os.MkdirTemp("", "retry-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "bin")
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(bin, "retry"), ".")
	if output, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, output)
		return 1
	}
	os.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "RETRY_") {
			os.Unsetenv(name)
		}
	}
	return p.M.Run()
}

// readSources makes what the program is built from an input of the test that calls it. Go's cache knows only the files
// that a test itself opens, and would else take it for passed after the program has changed.
var readSources = sync.OnceFunc(func() {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		panic(err)
	}
})

// argv prints its arguments, one quoted on each line.
func argv() {
	for _, argument := range os.Args[1:] {
		fmt.Printf("%q\n", argument)
	}
}

// flaky N STATUS exits with the status until attempt N.
func flaky() {
	attempt, _ := strconv.Atoi(os.Getenv("RETRY_ATTEMPT"))
	good, _ := strconv.Atoi(os.Args[1])
	bad, _ := strconv.Atoi(os.Args[2])
	if attempt < good {
		os.Exit(bad)
	}
}

// signals prints "ready" and then each signal it gets, until its standard input ends.
func signals() {
	received := make(chan os.Signal, 16)
	signal.Notify(received, forwarded...)
	fmt.Println("ready")
	end := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(end)
	}()
	for {
		select {
		case number := <-received:
			fmt.Println(unix.SignalName(number.(syscall.Signal)))
		case <-end:
			return
		}
	}
}

// forwarded are the signals that retry passes on to the command; those from ending on end retry too.
var (
	forwarded = append([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGALRM}, ending...)
	ending    = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT}
)

func TestScript(t *testing.T) {
	readSources()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Cmds:                statements,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// A script has no other way to put a line end into a word.
			env.Setenv("NL", "\n")
			said := &output{}
			env.Values["output"] = said
			env.Defer(func() {
				if left := said.unread(); left != "" {
					env.T().Fatal("at the end of the script, not told: " + left)
				}
			})
			return nil
		},
	})
}

// output is what the last program run by status wrote to standard error, and how much of it has been told.
type output struct {
	lines []string
	began bool
	took  time.Duration
}

// unread is the first line that was not told, though another one was.
func (o *output) unread() string {
	if !o.began || len(o.lines) == 0 {
		return ""
	}
	return o.lines[0]
}

func outputOf(ts *testscript.TestScript) *output { return ts.Value("output").(*output) }

// status N PROGRAM [ARG...] runs the program, with no input, which must exit with status N or die of the signal N, TERM
// for instance. The pipe that exec would make its input closes at some time or other.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM [ARG...]")
	}
	said := outputOf(ts)
	if left := said.unread(); left != "" {
		ts.Fatalf("before this line, not told: %s", left)
	}
	began := time.Now()
	err := ts.Exec("sh", append([]string{"-c", `exec "$@" </dev/null`, "sh"}, args[1:]...)...)
	*said = output{took: time.Since(began)}
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		said.lines = append(said.lines, strings.TrimSuffix(line, "\n"))
	}
	if got := ended(ts, err); got != args[0] {
		ts.Fatalf("%s ended with %s, want %s", args[1], got, args[0])
	}
}

// ended is an exit status, or the name of a signal without its SIG.
func ended(ts *testscript.TestScript, err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case !errors.As(err, &exit):
		ts.Fatalf("%v", err)
	case exit.Sys().(syscall.WaitStatus).Signaled():
		return strings.TrimPrefix(unix.SignalName(exit.Sys().(syscall.WaitStatus).Signal()), "SIG")
	}
	return strconv.Itoa(exit.ExitCode())
}

// told LINE asserts that the next line of standard error is "retry: LINE", where T stands for any duration. Once one
// line is told, all have to be; told alone says that there is none.
func told(ts *testscript.TestScript, neg bool, args []string) {
	said := outputOf(ts)
	said.began = true
	switch {
	case neg || len(args) > 1:
		ts.Fatalf("usage: told [LINE]")
	case len(args) == 0 && len(said.lines) > 0:
		ts.Fatalf("unexpected line: %s", said.lines[0])
	case len(args) == 0:
		return
	case len(said.lines) == 0:
		ts.Fatalf("no line is left for: %s", args[0])
	}
	if !lineMatches("retry: "+args[0], said.lines[0]) {
		ts.Fatalf("got:  %s\nwant: retry: %s", said.lines[0], args[0])
	}
	said.lines = said.lines[1:]
}

var placeholder = regexp.MustCompile(`\bT\b`)

// lineMatches reports whether line is pattern, in which T stands for any duration.
func lineMatches(pattern, line string) bool {
	const duration = `([0-9.]+(µs|ms|s|m|h))+`
	expression := placeholder.ReplaceAllLiteralString(regexp.QuoteMeta(pattern), duration)
	return regexp.MustCompile("^" + expression + "$").MatchString(line)
}

var announced = regexp.MustCompile(`^retry: .*; sleeping ([^,]+)`)

// sleeps D... asserts which sleeps were announced.
func sleeps(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: sleeps D...")
	}
	var got []string
	for _, line := range outputOf(ts).lines {
		if found := announced.FindStringSubmatch(line); found != nil {
			got = append(got, found[1])
		}
	}
	if !slices.Equal(got, args) {
		ts.Fatalf("sleeps %s, want %s", strings.Join(got, " "), strings.Join(args, " "))
	}
}

// gone FILE... asserts that none of the processes whose numbers the files hold runs.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: gone FILE...")
	}
	for _, file := range args {
		for number := range strings.FieldsSeq(ts.ReadFile(file)) {
			pid, err := strconv.Atoi(number)
			ts.Check(err)
			if alive(pid) {
				ts.Fatalf("process %d of %s still runs", pid, file)
			}
		}
	}
}

// alive reports whether a process runs. One that has ended and not been waited for doesn't: in a container there may
// be nobody who would.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return runtime.GOOS != "linux"
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(fields) == 0 || fields[0][0] != 'Z'
}

// lasted MIN MAX asserts how long the program that status ran took; - is no limit.
func lasted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lasted MIN MAX")
	}
	for i, arg := range args {
		if arg == "-" {
			continue
		}
		limit, err := time.ParseDuration(arg)
		ts.Check(err)
		if took := outputOf(ts).took; (i == 0 && took < limit) || (i == 1 && took > limit) {
			ts.Fatalf("took %v, want %s to %s", took, args[0], args[1])
		}
	}
}

// A helper that nothing uses is not tested, and what it was for may not be either.
func TestHelpersAreUsed(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	used := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				for _, word := range strings.Fields(line) {
					used[strings.Trim(word, "'")] = true
				}
			}
		}
	}
	for name := range helpers {
		if !used[name] {
			t.Errorf("no script uses the helper command %s", name)
		}
	}
	for name := range statements {
		if !used[name] {
			t.Errorf("no script uses the statement %s", name)
		}
	}
}

// command is the real binary with these arguments, without a terminal, so that what is tested does not depend on where
// the tests run, and with an end.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	readSources()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, "retry", args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.WaitDelay = time.Second
	return c
}

// finish waits for a command that was started and returns how it ended.
func finish(t *testing.T, c *exec.Cmd) syscall.WaitStatus {
	t.Helper()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.Sys().(syscall.WaitStatus)
}

// runToEnd is start and finish, with what was written to standard error.
func runToEnd(t *testing.T, args ...string) (syscall.WaitStatus, string) {
	t.Helper()
	var stderr bytes.Buffer
	c := command(t, args...)
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return finish(t, c), stderr.String()
}

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

// Each signal reaches the command once, and only the four that say so end retry. recur, joshdk/retry, homeport/retry,
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

// pipes starts the command with both its standard streams at hand.
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

// A signal during a sleep ends it at once, whatever is left of it.
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

// A signal during an attempt is the command's to handle, for as long as it takes; then retry dies of it, tries no
// more, and leaves nothing behind.
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

// Every option of the table is in --help, and nothing else is.
func TestHelpShowsTheTable(t *testing.T) {
	t.Parallel()
	page, err := command(t, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^  (?:-(\w), )? *--?([\w-]+)(\[=[A-Z]+\]| [A-Z]\S*)?(?:  +(\S.*)|$)`)
	group := regexp.MustCompile(`^(\S.*):$`)
	var got, want []string
	title := ""
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
		if found := group.FindStringSubmatch(line); found != nil {
			title = found[1]
		}
		if found := row.FindStringSubmatch(line); found != nil {
			got = append(got, fmt.Sprint(title, "|", found[1], "|", found[2], "|", strings.TrimSpace(found[3]), "|", found[4]))
		}
	}
	for _, o := range options() {
		if o.name == "h" {
			continue // it stands in the row of --help
		}
		text, _, _ := strings.Cut(o.help, "\n")
		if o.standard != "" && text == o.help {
			text += " (" + o.standard + ")"
		}
		value := o.placeholder
		if o.optional {
			value = "[=" + value + "]"
		}
		want = append(want, fmt.Sprint(o.group, "|", o.short, "|", o.name, "|", value, "|", text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("--help shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The main job: curl in front of a server that fails in three ways before it answers.
func TestCurl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed, so the main job is not tested")
	}
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch requests.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			connection.Close()
		case 3:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			io.WriteString(w, "the answer\n")
		}
	}))
	defer server.Close()
	var stdout, stderr bytes.Buffer
	c := command(t, "--base", "10ms", "--jitter", "none", "--max-attempts", "8", "--", "curl", "-fsS", server.URL)
	// Neither a proxy nor the user's own curl options have a part in this.
	c.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "HOME="+t.TempDir(), "CURL_HOME="+t.TempDir())
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stdout.String() != "the answer\n" {
		t.Errorf("standard output is %q", stdout.String())
	}
	want := []string{
		"retry: curl: attempt 1/8 failed: exit status 22 after T; sleeping 10ms",
		"retry: curl: attempt 2/8 failed: exit status 52 after T; sleeping 20ms",
		"retry: curl: attempt 3/8 failed: exit status 22 after T; sleeping 40ms",
		"retry: curl: succeeded on attempt 4 after T",
	}
	var got []string
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "retry: ") {
			// Whether a dropped connection was empty or broken is a matter of timing.
			got = append(got, strings.Replace(strings.TrimSuffix(line, "\n"), "exit status 56", "exit status 52", 1))
		}
	}
	if !slices.EqualFunc(want, got, lineMatches) {
		t.Errorf("retry's lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
