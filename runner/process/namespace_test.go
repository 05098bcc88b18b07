//go:build linux

package process_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// contain starts retry as process 1 of a new PID namespace with its own /proc, as in a container.
func contain(t *testing.T, words ...string) *trial {
	t.Helper()
	return containCommand(t, append([]string{binary}, words...)...)
}

// containCommand starts any command in that way.
func containCommand(t *testing.T, words ...string) *trial {
	t.Helper()
	return prepareContained(t, words...).start()
}

func prepareContained(t *testing.T, words ...string) *trial {
	t.Helper()
	r := prepare(t, append([]string{self(t)}, words...)...)
	r.command.Env = append(r.command.Env, "RETRY_TEST_ROLE=first")
	attributes := r.command.SysProcAttr
	attributes.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS
	if os.Getuid() != 0 {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return r
}

// TestFirstProcess checks what process 1 has to do: return statuses, reap orphans, and exit with 128+n where others end
// by a signal.
func TestFirstProcess(t *testing.T) {
	t.Parallel()
	contain(t, "-n", "2", "--delay", "0", "sh", "-c", `[ $PPID = 1 ] && exit 7`).exits(7)
	contain(t, "-n", "2", "--delay", "0", "true").exits(0)
	contain(t, "-n", "2", "--delay", "0", "sh", "-c", `ulimit -c 0; kill -SEGV $$`).exits(139)
	for _, number := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE} {
		contain(t, "-n", "1", "sh", "-c", fmt.Sprintf("kill -%d $$", number)).exits(128 + int(number))
	}
	contain(t, "-n", "1", "/no/such/command").exits(127)
}

func TestFirstProcessReaps(t *testing.T) {
	t.Parallel()
	// A zombie may be seen for a moment; one that nobody reaps stays.
	const zombies = `$(for i in 1 2 3 4 5 6 7 8; do
		n=$(grep -l "^State:.Z" /proc/[0-9]*/status | wc -l); [ $n = 0 ] && break; sleep 0.1; done; echo $n)`
	for name, options := range map[string][]string{
		"plain": nil, "timeout": {"--timeout", "100"}, "rules": {"--retry-if", "stdout:x", "--retry-if", "9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := contain(t, append(options, "-n", "2", "--delay", "2", "sh", "-c", `
				for i in 1 2 3 4 5; do (setsid sh -c "sleep 0.0$i; exit 3" &) ; done
				sleep 0.3; echo "attempt `+zombies+`"
				(sh -c 'sleep 1.2; exit 3' &)
				(setsid sh -c 'sleep 1.4; echo "sleep `+zombies+`"' >&2 &)
				exit 9`)...)
			r.exits(9)
			r.saidTimes(2, "attempt 0")
			// The orphan of the second attempt dies with process 1 before it can say anything.
			r.saidTimes(1, "sleep 0")
		})
	}
}

// TestFirstProcessSignals sends signals from outside the namespace, as a container runtime does.
func TestFirstProcessSignals(t *testing.T) {
	t.Parallel()
	for _, number := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		r := contain(t, "--delay", "300", "sh", "-c", `ulimit -c 0; echo ready; exec sleep 300.$MARK`)
		r.sleeps(300)
		r.send(number)
		r.exits(128 + int(number))
		r.saidTimes(1, "ready")
		r.saidTimes(0, "goroutine")

		r = contain(t, "--delay", "300", "sh", "-c", `echo ready; exit 1`)
		r.hears("sleeping")
		r.send(number)
		r.exits(128 + int(number))
		r.saidTimes(0, "goroutine")
	}
}

// TestFirstProcessSimulates sends a signal during a simulation, and signals while its results can't be written. The first
// one only ends the simulation.
func TestFirstProcessSimulates(t *testing.T) {
	t.Parallel()
	r := contain(t, "--simulate", "outage:clients=5000000", "--seed", "1")
	r.hears("simulating")
	r.send(syscall.SIGINT)
	r.exits(130)
	r.saidTimes(1, "interrupted: the numbers are incomplete")

	r = prepareContained(t, binary, "--simulate", "outage:clients=10", "--seed", "1")
	r.command.Stdout = fullPipe(t)
	r.start()
	until(t, "it to wait", func() bool { return waits(r.pid()) }, r.said)
	until(t, "its end", func() bool {
		_ = r.command.Process.Signal(syscall.SIGTERM)
		return len(r.living()) == 0
	}, r.said)
	r.exits(143)
}

// TestFirstProcessDrains runs a server as ENTRYPOINT that takes a while to end.
func TestFirstProcessDrains(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"0", "1"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			r := contain(t, "--delay", "0", "sh", "-c",
				`trap 'sleep 4; echo drained; exit `+status+`' TERM; echo serving; while :; do sleep 0.05; done`)
			r.hears("serving")
			time.Sleep(50 * time.Millisecond)
			r.send(syscall.SIGTERM)
			r.exits(143)
			if r.count("serving") != 1 || r.count("drained") != 1 {
				t.Errorf("it said:\n%s", r.said())
			}
		})
	}
}

// TestFirstProcessTimeout ends everything of an attempt, while a daemon of an earlier attempt lives until process 1 ends.
func TestFirstProcessTimeout(t *testing.T) {
	t.Parallel()
	r := contain(t, "-n", "3", "--delay", "0", "--timeout", "0.7", "--kill-after", "0.3", "sh", "-c", `
		case $RETRY_ATTEMPT in
		1) (setsid sleep 301.$MARK &) ; exit 1;;
		2) (trap '' TERM; setsid sleep 302.$MARK &) ; (setsid sh -c 'sleep 303.$MARK & exit' &) ; exec sleep 300.$MARK;;
		3) for i in $(grep -lx sleep /proc/[0-9]*/comm); do tr '\0' ' ' <${i%comm}cmdline; echo; done; exit 8;; esac`)
	r.exits(8)
	r.saidTimes(1, "sleep 301")
	r.saidTimes(0, "sleep 300")
	r.saidTimes(0, "sleep 302")
	r.saidTimes(0, "sleep 303")
	r.gone()
}

// TestWithoutProc checks that without /proc, process 1 still ends what it can't find, and any other process warns that
// it can't find it.
func TestWithoutProc(t *testing.T) {
	t.Parallel()
	script := `mount -t tmpfs none /proc && exec "$RETRY" -n 2 --delay 0 --timeout 0.5 --kill-after 0.2 -- sh -c '
		setsid sleep 301.$MARK & exec sleep 300.$MARK'`
	r := containCommand(t, "/bin/sh", "-c", script)
	r.exits(124)
	r.goneAlready()
	const warning = "without a usable /proc, processes that leave the process group of the command can't be ended"
	r.saidTimes(1, warning)

	// Only an attempt that may have to be ended needs to find them.
	r = containCommand(t, "/bin/sh", "-c", `mount -t tmpfs none /proc && "$RETRY" echo none &&
		for o in --timeout=99 --deadline=99 --idle-timeout=99 --sweep; do "$RETRY" $o echo attempted; done`)
	r.exits(0)
	r.saidTimes(4, "attempted")
	r.saidTimes(4, warning)
	if before, _, _ := strings.Cut(r.said(), "none\n"); strings.Contains(before, warning) {
		t.Errorf("without a limit it said %q", before)
	}
}
