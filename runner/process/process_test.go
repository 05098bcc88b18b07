//go:build unix

package process_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long anything may take on a busy machine. Nothing is expected to take long.
const patience = 40 * time.Second

// A trial is a run of the real program. All of its processes carry the trial's mark: in the environment or, if they
// clear that, among the arguments, as in sleep 300.$MARK.
type trial struct {
	t       *testing.T
	mark    string
	command *exec.Cmd
	output  string // the file with its standard output and standard error
	status  syscall.WaitStatus
	ended   chan struct{}
}

var trials atomic.Int64

// prepare prepares a trial of any command, in a session of its own without a terminal.
func prepare(t *testing.T, words ...string) *trial {
	t.Helper()
	r := &trial{
		t:      t,
		mark:   fmt.Sprintf("%07d%04d", os.Getpid(), trials.Add(1)),
		output: filepath.Join(t.TempDir(), "output"),
		ended:  make(chan struct{}),
	}
	file, err := os.OpenFile(r.output, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skipf("%s is not installed", words[0])
	}
	r.command = exec.Command(words[0], words[1:]...)
	r.command.Stdout, r.command.Stderr = file, file
	r.command.Env = append(os.Environ(), "MARK="+r.mark, "RETRY="+binary, "PLAY="+self(t), "RETRY_OPTS=")
	r.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return r
}

// begin starts retry with these arguments.
func begin(t *testing.T, words ...string) *trial {
	t.Helper()
	return prepare(t, append([]string{binary}, words...)...).start()
}

// beginScript starts a shell script.
func beginScript(t *testing.T, script string) *trial {
	t.Helper()
	return prepare(t, "sh", "-c", script).start()
}

func (r *trial) start() *trial {
	r.t.Helper()
	if err := r.command.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		for _, pid := range r.living() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		<-r.ended
	})
	go func() {
		_ = r.command.Wait()
		r.status = r.command.ProcessState.Sys().(syscall.WaitStatus)
		close(r.ended)
	}()
	return r
}

func (r *trial) pid() int { return r.command.Process.Pid }

// send sends a signal to the program under trial.
func (r *trial) send(number syscall.Signal) {
	r.t.Helper()
	if err := syscall.Kill(r.pid(), number); err != nil {
		r.t.Fatalf("kill: %v", err)
	}
}

// end waits for the program to end and returns how it did.
func (r *trial) end() syscall.WaitStatus {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		r.t.Fatalf("it hangs; it said:\n%s\nthere are %s", r.said(), describeProcesses(r.living()))
	}
	return r.status
}

// exits checks that the program exits with a status.
func (r *trial) exits(want int) {
	r.t.Helper()
	if got := r.end(); !got.Exited() || got.ExitStatus() != want {
		r.t.Fatalf("ended by %s; want exit %d; it said:\n%s", ending(got), want, r.said())
	}
}

// dies checks that the program is ended by a signal.
func (r *trial) dies(want syscall.Signal) {
	r.t.Helper()
	if got := r.end(); !got.Signaled() || got.Signal() != want {
		r.t.Fatalf("ended by %s; want %s; it said:\n%s", ending(got), unix.SignalName(want), r.said())
	}
}

func ending(status syscall.WaitStatus) string {
	if status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return "exit " + strconv.Itoa(status.ExitStatus())
}

// said returns what the program and its command have printed.
func (r *trial) said() string {
	text, err := os.ReadFile(r.output)
	if err != nil {
		r.t.Error(err)
	}
	return string(text)
}

// count returns how many lines with this text were printed.
func (r *trial) count(text string) int {
	n := 0
	for line := range strings.Lines(r.said()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// saidTimes checks how many lines with a text were printed.
func (r *trial) saidTimes(want int, text string) {
	r.t.Helper()
	if got := r.count(text); got != want {
		r.t.Errorf("%q was printed %d times, want %d, in:\n%s", text, got, want, r.said())
	}
}

// hears waits until a text has been printed.
func (r *trial) hears(text string) {
	r.t.Helper()
	until(r.t, "output "+strconv.Quote(text), func() bool { return strings.Contains(r.said(), text) }, r.said)
}

// until waits for a condition.
func until(t *testing.T, what string, reached func() bool, context func() string) {
	t.Helper()
	for began := time.Now(); !reached(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("waited in vain for %s; there is:\n%s", what, context())
		}
	}
}

// living returns the processes with the trial's mark.
func (r *trial) living() []int { return marked(r.mark) }

// gone waits until no process of the trial is left. A process that the kernel kills may end a little later than retry.
func (r *trial) gone() {
	r.t.Helper()
	until(r.t, "its processes to be gone", func() bool { return len(r.living()) == 0 },
		func() string { return describeProcesses(r.living()) })
}

// goneAlready checks that no process of the trial is left now.
func (r *trial) goneAlready() {
	r.t.Helper()
	if left := r.living(); len(left) > 0 {
		r.t.Fatalf("left running: %s; it said:\n%s", describeProcesses(left), r.said())
	}
}

// sleeper returns the process of the trial that runs sleep N.MARK.
func (r *trial) sleeper(n int) (pid int, found bool) {
	for _, pid := range r.living() {
		if words := arguments(pid); len(words) == 2 && words[1] == fmt.Sprintf("%d.%s", n, r.mark) {
			return pid, true
		}
	}
	return 0, false
}

// sleeps waits until sleep N.MARK is running, and returns its PID.
func (r *trial) sleeps(n int) (pid int) {
	r.t.Helper()
	until(r.t, fmt.Sprintf("sleep %d", n), func() (found bool) {
		pid, found = r.sleeper(n)
		return found
	}, r.said)
	return pid
}

// stillSleeps checks that sleep N.MARK is running, or is about to.
func (r *trial) stillSleeps(n int) {
	r.t.Helper()
	r.sleeps(n)
}

// noLonger checks that sleep N.MARK is not running now.
func (r *trial) noLonger(n int) {
	r.t.Helper()
	if pid, found := r.sleeper(n); found {
		r.t.Errorf("left running: %s; it said:\n%s", describeProcesses([]int{pid}), r.said())
	}
}

func describeProcesses(pids []int) string {
	var text strings.Builder
	for _, pid := range pids {
		fmt.Fprintf(&text, "\n\t%d %c %q", pid, stateOf(pid), arguments(pid))
	}
	return text.String()
}

// self returns the test binary, which plays commands that can't be written as shell scripts.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// playing returns how a trial's script calls a role of the test binary: RETRY_TEST_ROLE=name "$PLAY" ...
func playing(role string) string { return `RETRY_TEST_ROLE=` + role + ` "$PLAY"` }

// plays are the roles of the test binary.
var plays = map[string]func(words []string) error{"listen": listen}

// listen prints every signal that it receives, and exits when its standard input or SIGTERM tells it to.
func listen([]string) error {
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1,
		syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH)
	lines := make(chan string)
	go func() {
		for {
			var line string
			if _, err := fmt.Scanln(&line); err == nil {
				lines <- line
			} else if line == "" {
				return
			}
		}
	}()
	fmt.Println("listening")
	for {
		select {
		case s := <-signals:
			fmt.Println("got " + unix.SignalName(s.(syscall.Signal)))
		case line := <-lines:
			status, err := strconv.Atoi(strings.TrimPrefix(line, "exit"))
			if err != nil {
				return err
			}
			os.Exit(status)
		}
	}
}

func numbers(word, prefix string) (list []syscall.Signal) {
	for text := range strings.SplitSeq(strings.TrimPrefix(word, prefix), ",") {
		if number, err := strconv.Atoi(text); err == nil {
			list = append(list, syscall.Signal(number))
		}
	}
	return list
}

func init() {
	playRole = func() {
		name := os.Getenv("RETRY_TEST_ROLE")
		if name == "" {
			keepDefaults()
			_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // they wait more than they compute
			return
		}
		os.Unsetenv("RETRY_TEST_ROLE")
		runtime.LockOSThread()
		if err := plays[name](os.Args[1:]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(99)
		}
	}
}

// keepDefaults gives the commands of the tests the default signal dispositions even if the tests are run by nohup or in
// the background of a script. A program in Go passes on only ignored signals, and not those that it handles itself.
func keepDefaults() {
	for _, number := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU} {
		if signal.Ignored(number) {
			signal.Notify(make(chan os.Signal, 1), number)
		}
	}
}

func onDescriptor(t *testing.T, file *os.File, use func(descriptor int)) {
	t.Helper()
	raw, err := file.SyscallConn()
	if err == nil {
		err = raw.Control(func(descriptor uintptr) { use(int(descriptor)) })
	}
	if err != nil {
		t.Fatal(err)
	}
}
