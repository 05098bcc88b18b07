//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
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
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// helpers maps the names of commands that this test binary can act as to their implementations.
var helpers = map[string]func(){
	"argv":    argv,
	"flaky":   flaky,
	"signals": showSignals,
}

// statements maps the names of the scripts' own commands, in addition to testscript's, to their implementations.
var statements = map[string]func(*testscript.TestScript, bool, []string){
	"status": status,
	"told":   told,
	"gone":   gone,
	"lasted": lasted,
	"sleeps": sleeps,
}

func TestMain(m *testing.M) {
	// A background job of a plain shell, and nohup, leave signals ignored, which every command tested here would inherit. A
	// signal with a handler is back at its default in a child.
	for _, number := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(number) {
			signal.Notify(make(chan os.Signal, 1), number, syscall.SIGQUIT)
		}
	}
	testscript.Main(program{m}, helpers)
}

// program runs the tests with the real binary as the first retry on PATH.
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
	// The tests wait more than they compute.
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	defer func() {
		if separated {
			os.Remove(privileges)
		}
	}()
	return p.M.Run()
}

// privileges is the empty directory that sshd needs if it is run by root. Usually systemd creates it.
const privileges = "/run/sshd"

var separated bool // the tests have created it

// separatePrivileges creates the directory for all tests, if there is none.
var separatePrivileges = sync.OnceFunc(func() {
	if os.Getuid() == 0 {
		separated = os.Mkdir(privileges, 0o755) == nil
	}
})

// readSources makes the sources of the program an input of the test that calls it. Go's test cache only knows the files that a
// test itself opens, and would otherwise report a cached pass after the program has changed.
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

// argv prints its arguments, quoted, one on each line.
func argv() {
	for _, argument := range os.Args[1:] {
		fmt.Printf("%q\n", argument)
	}
}

// flaky N STATUS exits with the status until attempt N, which succeeds.
func flaky() {
	attempt, _ := strconv.Atoi(os.Getenv("RETRY_ATTEMPT"))
	good, _ := strconv.Atoi(os.Args[1])
	bad, _ := strconv.Atoi(os.Args[2])
	if attempt < good {
		os.Exit(bad)
	}
}

// showSignals prints "ready" and then each signal that it receives, until its standard input ends.
func showSignals() {
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

// forwarded lists the signals that retry passes on to the command; those from ending on also end retry.
var (
	forwarded = append([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGALRM}, ending...)
	ending    = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT}
)

func TestScript(t *testing.T) {
	t.Parallel()
	readSources()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Cmds:                statements,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// A script has no other way to put a newline into an argument.
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

// output is what the last program run by status wrote to standard error, and how much of it has been checked by told.
type output struct {
	lines []string
	began bool
	took  time.Duration
}

// unread returns the first line that was not checked although another one was.
func (o *output) unread() string {
	if !o.began || len(o.lines) == 0 {
		return ""
	}
	return o.lines[0]
}

func outputOf(ts *testscript.TestScript) *output { return ts.Value("output").(*output) }

// status N PROGRAM [ARG...] runs the program without input. It must exit with status N, or die of the signal N, such as TERM.
// testscript's exec would use a pipe as its input, which is closed at an unpredictable time.
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

// ended returns an exit status, or the name of a signal without its SIG.
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

// told LINE asserts that the next line of standard error is "retry: LINE", where T stands for any duration. Once one line is
// checked, all must be. told without LINE asserts that there is no output.
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

// gone FILE... asserts that none of the processes whose numbers are in the files is running.
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

// alive reports whether a process is running. A process that has ended but has not been waited for is not: in a container, there
// may be no process that waits for it.
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

// lasted MIN MAX asserts how long the program run by status took; - is no limit.
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

// A helper that nothing uses is not tested, and what it was meant to test may not be tested either.
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

// command returns a command that runs the real binary with these arguments and a time limit. It has no terminal, so that the
// test doesn't depend on where it runs.
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

// runToEnd starts a command, waits for it, and also returns what it wrote to standard error.
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
