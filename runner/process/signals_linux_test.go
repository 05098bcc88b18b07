package process_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// setups are the signals that retry's parent has ignored and blocked.
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

// TestDispositions compares the dispositions that a command finds with those that it finds without retry.
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

// TestIgnoredInRetry sends a signal that was ignored when retry started, then one that was not.
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
				t.Fatal("it is no longer ignored")
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

// ignores reports whether a process ignores a signal. In that case a signal that was sent before can't be pending.
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

// TestNohup has SIGHUP ignored by nohup(1), which is the usual way.
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

// TestSignalBeforeTheRun checks that signals have their default action while there is no command.
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

// waits reports whether a thread of the process is writing to standard output, or opening a report.
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

// TestUnusualSignals sends signals that are seldom sent. Some reach only the command, the others end both the command
// and retry.
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
