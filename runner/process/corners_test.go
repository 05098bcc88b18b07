//go:build unix

package process_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestDescriptors compares the open descriptors of a command with those that it has without retry.
func TestDescriptors(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	directory := t.TempDir()
	const opened = `exec 3</dev/zero 4>/dev/full 7>>"$D/file" 9</; `
	const targets = `sh -c 'cd /proc/$$/fd && for i in *; do [ -e $i ] && echo $i $(readlink $i); done' </dev/null 2>&1`
	const numbers = `sh -c 'cd /proc/$$/fd && for i in *; do [ -e $i ] && echo $i; done' </dev/null 2>&1`
	check := func(name, show, options string) {
		t.Run(name, func(t *testing.T) {
			r := beginScript(t, "D="+directory+"; "+opened+show+`; echo ====; "$RETRY" `+options+" "+show)
			r.exits(0)
			bare, under, _ := strings.Cut(r.said(), "====\n")
			if bare != under || strings.Count(bare, "\n") < 7 {
				t.Errorf("bare:\n%s\nunder retry:\n%s", bare, under)
			}
		})
	}
	check("plain", targets, "")
	check("limited", targets, "--timeout 100 --deadline 200")
	check("matched", numbers, "--stop-if output:nothing")
	check("held", numbers, "--stdout last --stderr last")
	check("replayed", numbers, "--stdin replay")
	check("idle", numbers, "--idle-timeout 100")
	check("reported", targets, "--report "+directory+"/report")
	check("second", numbers, "-q --stop-if output:nothing --stdin replay --stdout last -n 2 --consecutive 2 --delay 0")
}

// TestMissingDescriptors starts retry without some of its standard streams. None of retry's own files may take their places.
func TestMissingDescriptors(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	for _, closed := range []string{"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"} {
		for _, options := range []string{"", "--timeout 100", "--stdin replay", "--stop-if output:x", "--stdout last"} {
			file := filepath.Join(t.TempDir(), "file")
			r := beginScript(t, fmt.Sprintf(`exec "$RETRY" %s sh -c '
				for i in 0 1 2; do echo $i $(readlink /proc/$$/fd/$i); done >%s; exit 5' %s`,
				options+" -n 1", file, closed))
			r.exits(5)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, redirection := range []string{"<&-", ">&-", "2>&-"} {
				leaked := strings.Contains(string(text), fmt.Sprintf("%d anon_inode", i))
				if strings.Contains(" "+closed, " "+redirection) && leaked {
					t.Errorf("%s %s:\n%s", options, closed, text)
				}
			}
		}
	}
}

// TestDescriptorsOfRetry guards against a leak of descriptors over many attempts.
func TestDescriptorsOfRetry(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	for _, options := range []string{
		"", "--timeout 100 --deadline 200", "--retry-if output:. --stdin replay", "--stdout success --stderr last",
		"--idle-timeout 100",
	} {
		list := filepath.Join(t.TempDir(), "list")
		words := append(strings.Fields(options), "-n", "100", "--delay", "1us", "-qq", "sh", "-c",
			`echo x; case $RETRY_ATTEMPT in 50|100) sleep 0.2; ls -l /proc/$PPID/fd >>`+list+`; esac; exit 1`)
		begin(t, words...).exits(1)
		text, err := os.ReadFile(list)
		lists := strings.Split(string(text), "total 0\n")
		if err != nil || len(lists) != 3 {
			t.Fatalf("%v: %q", err, text)
		}
		// Go opens some descriptors, for example that of an epoll instance, only when it first needs them.
		if strings.Count(lists[2], "\n") > strings.Count(lists[1], "\n")+10 {
			t.Errorf("%s: at attempts 50 and 100:\n%s", options, text)
		}
	}
}

// TestLimits compares resource limits: Go raises its own limit of open files.
func TestLimits(t *testing.T) {
	needs(t, "/proc")
	t.Parallel()
	for _, lower := range []string{"", "ulimit -Sn 64; ", "ulimit -n 50; "} {
		r := beginScript(t, lower+`cat /proc/self/limits; echo ====; "$RETRY" cat /proc/self/limits; echo ====
			"$RETRY" --timeout 100 --stop-if output:nothing --stdin replay cat /proc/self/limits </dev/null`)
		r.exits(0)
		parts := strings.Split(r.said(), "====\n")
		if len(parts) != 3 || parts[0] != parts[1] || parts[0] != parts[2] {
			t.Errorf("%q: they differ:\n%s", lower, r.said())
		}
	}
}

// TestFewOpenFiles allows as many open files as it takes to carry the streams of a command, and one less.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	for limit, status := range map[int]int{19: 125, 20: 0} {
		r := beginScript(t, fmt.Sprintf(`ulimit -n %d; "$RETRY" echo plain && exec "$RETRY" -o --stdin replay -- echo carried`, limit))
		r.exits(status)
		r.saidTimes(1, "plain")
		if refused := r.count("only 19 open files are allowed"); (refused == 1) != (status == 125) {
			t.Errorf("%d open files: it said:\n%s", limit, r.said())
		}
	}
}

// TestTraceparent checks that an attempt gets its own span in place of the caller's, and that an invalid value is
// passed on unchanged.
func TestTraceparent(t *testing.T) {
	t.Parallel()
	r := beginScript(t, `TRACEPARENT=00-0123456789abcdef0123456789abcdef-0123456789abcdef-01 "$RETRY" env | grep TRACEPARENT
		TRACEPARENT=none "$RETRY" env | grep TRACEPARENT`)
	r.exits(0)
	r.saidTimes(1, "TRACEPARENT=00-0123456789abcdef0123456789abcdef-")
	r.saidTimes(0, "-0123456789abcdef-01")
	r.saidTimes(1, "TRACEPARENT=none")
}

func TestEmptyEnvironment(t *testing.T) {
	t.Parallel()
	r := beginScript(t, `env -i "$RETRY" -n 1 /usr/bin/env`)
	r.exits(0)
	for line := range strings.Lines(r.said()) {
		if !strings.HasPrefix(line, "RETRY_") {
			t.Errorf("the command has %s", line)
		}
	}
	beginScript(t, `env -i "$RETRY" -n 1 sh -c 'exit 4'`).exits(4)
	beginScript(t, `env -i "$RETRY" -n 1 --stdin replay --stdout last --timeout 9 /bin/sh -c '
		cat; exit 4' </dev/null`).exits(4)
}

// TestWorkingDirectory uses a directory that an ordinary user can't read, and one that has been removed.
func TestWorkingDirectory(t *testing.T) {
	t.Parallel()
	for _, change := range []string{"chmod 000 .", "rmdir ../d"} {
		for _, options := range []string{"", "--timeout 100 --stop-if output:nothing"} {
			r := prepare(t, "sh", "-c", `mkdir d && cd d && `+change+` && "$RETRY" `+options+` -n 2 --delay 0 sh -c 'exit 4'
				status=$?; chmod 700 ../d 2>/dev/null; exit $status`)
			r.command.Dir = t.TempDir()
			r.start().exits(4)
		}
	}
}

// TestLongCommandLine passes on 100,000 arguments.
func TestLongCommandLine(t *testing.T) {
	t.Parallel()
	words := []string{"-n", "2", "--delay", "0", "sh", "-c", `echo "$# ${100000}"; [ $RETRY_ATTEMPT = 2 ]`, "sh"}
	for i := range 100000 {
		words = append(words, strconv.Itoa(i+1))
	}
	r := begin(t, words...)
	r.exits(0)
	r.saidTimes(2, "100000 100000")
}

// TestAbsurdNumbers rejects, before any attempt, numbers that can't be meant, and accepts those that are merely large.
func TestAbsurdNumbers(t *testing.T) {
	t.Parallel()
	durations := []string{
		"--timeout", "--deadline", "--delay", "--base", "--cap", "--kill-after", "--stagger", "--idle-timeout",
		"--reset-after",
	}
	for _, option := range durations {
		for _, value := range []string{
			"100000000000000000000", "1e20", "99999999999d", "-1", "-1ns", "NaN", "Inf", "0x10", "", "1 s", "9223372037", "٣",
		} {
			r := begin(t, option+"="+value, "echo", "attempt made")
			r.exits(125)
			r.saidTimes(0, "attempt made")
			r.saidTimes(1, option)
		}
		r := begin(t, option, "100000d", "sh", "-c", "exit 0")
		if option == "--stagger" {
			r.send(syscall.SIGTERM)
			r.dies(syscall.SIGTERM)
			continue
		}
		r.exits(0)
	}
	for _, option := range []string{"--max-attempts", "--consecutive"} {
		for _, value := range []string{"100000000000000000000", "-1", "1.5", "1e3", "0x10", ""} {
			r := begin(t, option+"="+value, "echo", "attempt made")
			r.exits(125)
			r.saidTimes(0, "attempt made")
		}
	}
}

// TestMostAttempts is for 64-bit systems.
func TestMostAttempts(t *testing.T) {
	t.Parallel()
	begin(t, "-n", "9223372036854775807", "true").exits(0)
}
