//go:build linux && !race

package main

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The cost of a call of retry, in counts that are the same on every machine. The bounds are a little above what was counted
// when they were written; .ci/bench measures the corresponding times. The race detector allocates memory too, so these tests
// are left out under it.

// release builds a program in the way of a release, and returns its path.
func release(t *testing.T, source string) string {
	t.Helper()
	readSources()
	binary := filepath.Join(t.TempDir(), "binary")
	build := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs,exactsignals", "-ldflags", "-s -w -checklinkname=0",
		"-o", binary, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, output)
	}
	return binary
}

func TestReleaseIsSmall(t *testing.T) {
	info, err := os.Stat(release(t, "."))
	if err != nil {
		t.Fatal(err)
	}
	const most = 5_800_000
	if info.Size() > most {
		t.Errorf("the stripped binary has %d bytes, more than %d: has a package come that keeps every method alive?", info.Size(), most)
	}
}

// TestInitIsCheap adds up what packages allocate before main: 147 allocations of 24.5 kB, of which 11 kB are the tables of
// package unicode that regular expressions can name, and 4 kB belong to urfave/cli.
func TestInitIsCheap(t *testing.T) {
	call := exec.Command(release(t, "."), "--", "/bin/true")
	call.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	output, err := call.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", call, err, output)
	}
	line := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`)
	packages, size, allocations, own := 0, 0, 0, 0
	for _, found := range line.FindAllStringSubmatch(string(output), -1) {
		bytes, _ := strconv.Atoi(found[2])
		count, _ := strconv.Atoi(found[3])
		packages, size, allocations = packages+1, size+bytes, allocations+count
		if found[1] == "main" || strings.HasPrefix(found[1], "retry/") {
			own += count
		}
	}
	if packages == 0 {
		t.Fatalf("no package is said to have an init:\n%s", output)
	}
	if packages > 36 || size > 26_000 || allocations > 155 || own > 24 {
		t.Errorf("%d packages have an init (36), with %d bytes (26000) in %d allocations (155), %d of them retry's own (24):\n%s",
			packages, size, allocations, own, output)
	}
}

// extraCalls is the number of system calls that retry makes and a bare Go program that forks, executes and waits doesn't: for
// the clock, for the command's file (twice, and to find out whether it is a directory), for a terminal, for ignored signals
// and those that retry handles, for a pipe on standard input and at the end.
var extraCalls = map[string]int{
	"clock_gettime": 5, "faccessat2": 2, "fstat": 1, "ioctl": 4, "newfstatat": 2, "openat": 1, "prctl": 1,
	"rt_sigaction": 16, "wait4": 1, "waitid": 2,
}

// schedulers lists the system calls whose number depends on which thread comes first, and on whether the runtime's monitor has
// already looked at the number of processors.
var schedulers = []string{
	"clone", "clone3", "exit_group", "futex", "getpid", "gettid", "madvise", "mmap", "nanosleep", "pread64", "restart_syscall", "rseq",
	"rt_sigprocmask", "rt_sigreturn", "sched_getaffinity", "sched_yield", "set_robust_list", "sigaltstack", "tgkill",
}

func TestPlainCallMakesFewSystemCalls(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed, so system calls are not counted")
	}
	bare := systemCalls(t, release(t, filepath.Join(".ci", "bench.go")), "1", "/bin/true")
	own := systemCalls(t, release(t, "."), "--", "/bin/true")
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if most := bare[name] + extraCalls[name]; own[name] > most {
			t.Errorf("%s: %d calls, more than %d", name, own[name], most)
		}
	}
}

// systemCalls counts the system calls of a program that runs /bin/true, without those of /bin/true, in a session without a
// terminal.
func systemCalls(t *testing.T, command ...string) map[string]int {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	call := exec.Command("strace", append([]string{"-f", "-o", trace}, command...)...)
	call.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if output, err := call.CombinedOutput(); err != nil {
		t.Skipf("strace can't trace here: %v\n%s", err, output)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	begun := regexp.MustCompile(`^(\d+) +(\w+)\(`)
	counts := map[string]map[string]int{} // by thread
	child := ""
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		found := begun.FindStringSubmatch(lines.Text())
		if found == nil {
			continue // a signal, an exit, or the rest of a call that another thread's call interrupted
		}
		thread, name := found[1], found[2]
		if counts[thread] == nil {
			counts[thread] = map[string]int{}
		}
		counts[thread][name]++
		if name == "execve" && strings.Contains(lines.Text(), `execve("/bin/true"`) {
			child = thread
		}
	}
	if child == "" {
		t.Fatalf("%v didn't execute /bin/true:\n%s", command, text)
	}
	delete(counts, child)
	total := map[string]int{}
	for _, calls := range counts {
		for name, n := range calls {
			if !slices.Contains(schedulers, name) {
				total[name] += n
			}
		}
	}
	return total
}
