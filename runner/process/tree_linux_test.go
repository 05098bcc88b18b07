package process_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// escapes are ways for a process to leave its attempt. Each leaves sleep 301, and the command is sleep 300.
var escapes = map[string]string{
	"child":          `sleep 301.$MARK &`,
	"own group":      `bash -mc 'sleep 301.$MARK &' 2>/dev/null;`,
	"session":        `setsid sleep 301.$MARK &`,
	"double fork":    `(setsid sh -c 'sleep 301.$MARK & exit' &) ;`,
	"no environment": `(setsid env -i sh -c "sleep 301.$MARK & exit" &) ;`,
	"ignores TERM":   `(trap '' TERM; exec setsid sleep 301.$MARK) &`,
	"stopped":        `setsid sh -c 'kill -STOP $$; exec sleep 301.$MARK' & sleep 301.$MARK & kill -STOP $!;`,
	"deep":           `sh -c 'sh -c "setsid sh -c \"sleep 301.$MARK; :\"; :" & :'; `,
	"nested retry":   `"$RETRY" -n 0 --delay 0 sleep 301.$MARK &`,
	"name":           `cp /bin/sleep "$D/) R 1 1 ("; setsid "$D/) R 1 1 (" 301.$MARK &`,
}

// limits are the options with which retry itself ends an attempt.
var limits = map[string][]string{
	"timeout":  {"--timeout", "0.4"},
	"idle":     {"--idle-timeout", "0.4"},
	"deadline": {"--deadline", "0.4", "-n", "2"},
}

// TestTimeoutEndsTree looks for survivors when retry starts the next attempt and when retry has ended.
func TestTimeoutEndsTree(t *testing.T) {
	t.Parallel()
	for escape, script := range escapes {
		for limit, options := range limits {
			t.Run(escape+" "+limit, func(t *testing.T) {
				t.Parallel()
				all := append(options, "-n", "2", "--delay", "0", "--kill-after", "0.3", "sh", "-c", "D="+t.TempDir()+`; `+
					`[ "$RETRY_ATTEMPT" = 1 ] || { cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' |
						grep -q "[3]01.$MARK" && echo SURVIVOR; }; `+script+` exec sleep 300.$MARK`)
				r := begin(t, all...)
				r.exits(124)
				r.goneAlready()
				r.saidTimes(0, "SURVIVOR")
			})
		}
	}
}

// TestTimeoutEndsHeadless has a process that outlives its first thread, which makes it look like a zombie.
func TestTimeoutEndsHeadless(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]string{"timeout": {"--timeout", "1"}, "sweep": {"--sweep"}} {
		t.Run(name, func(t *testing.T) {
			script := "setsid " + `env RETRY_TEST_ROLE=headless "$PLAY" & until grep -q headless ` + "$OUTPUT" + `; do sleep 0.01; done; `
			if name == "timeout" {
				script += "sleep 300.$MARK"
			}
			r := prepare(t, append(append([]string{binary, "-n", "1"}, options...), "sh", "-c", script)...)
			r.command.Env = append(r.command.Env, "OUTPUT="+r.output)
			r.start().end()
			_, after, _ := strings.Cut(r.said(), "headless ")
			number, _, _ := strings.Cut(after, "\n")
			pid, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("it did not start: %s", r.said())
			}
			if threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)); len(threads) > 1 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("it was left running with %d threads", len(threads))
			}
		})
	}
}

// TestSignalEndsTree looks for survivors after a signal to retry.
func TestSignalEndsTree(t *testing.T) {
	t.Parallel()
	for escape, script := range escapes {
		t.Run(escape, func(t *testing.T) {
			t.Parallel()
			r := begin(t, "--kill-after", "0.3", "sh", "-c", "D="+t.TempDir()+"; "+script+` exec sleep 300.$MARK`)
			r.sleeps(300)
			time.Sleep(50 * time.Millisecond)
			r.send(syscall.SIGTERM)
			r.dies(syscall.SIGTERM)
			r.goneAlready()
		})
	}
}

// TestTimeoutEndsForkers ends processes that fork all the time, some of them into sessions of their own.
func TestTimeoutEndsForkers(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"line": `trap '' TERM; while :; do sleep 301.$MARK & sleep 0.005; done`,
		"relay": `trap '' TERM; echo 'trap "" TERM; sleep 0.005; setsid sh $0 & exit' >$D/f
			setsid sh $D/f & exec sleep 300.$MARK`,
		"sessions": `trap '' TERM; (while :; do setsid sleep 301.$MARK & sleep 0.01; done) & exec sleep 300.$MARK`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := begin(t, "-n", "1", "--timeout", "0.4", "--kill-after", "0.2", "sh", "-c", "D="+t.TempDir()+"; "+script)
			r.exits(124)
			r.goneAlready()
		})
	}
}

// TestTimeoutEndsRacingForks has processes in sessions of their own that fork and exit while retry looks for them. No
// single read of the process table is sure to find them.
func TestTimeoutEndsRacingForks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("perl is not installed, so no process forks fast enough")
	}
	const detach = `use POSIX "setsid"; $SIG{TERM} = "IGNORE"; setsid; `
	for name, script := range map[string]string{
		// Forty processes fork once each during the grace period, and exit.
		"once": `for (1..40) { next if fork; ` + detach + `select undef, undef, undef, 0.2 + rand 0.5; exit if fork; sleep 300 } sleep 300`,
		// A process keeps replacing itself by a child for as long as a test may take.
		"always":   `$end = time + 30; unless (fork) { ` + detach + `while (time < $end) { exit if fork } exit } sleep 300`,
		"sessions": `$end = time + 30; unless (fork) { ` + detach + `while (time < $end) { exit if fork; setsid } exit } sleep 300`,
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				r := begin(t, "-n", "1", "--timeout", "0.2", "--kill-after", "0.3", "perl", "-e", script)
				r.exits(124)
				r.goneAlready()
			}
		})
	}
}

// TestDaemonLives checks that what an attempt left when it ended by itself survives the end of retry and the timeout of
// a later attempt.
func TestDaemonLives(t *testing.T) {
	t.Parallel()
	r := begin(t, "sh", "-c", `sleep 301.$MARK & setsid sleep 302.$MARK & exit 0`)
	r.exits(0)
	r.stillSleeps(301)
	r.stillSleeps(302)

	r = begin(t, "-n", "3", "--delay", "0", "--timeout", "0.5", "sh", "-c", `case $RETRY_ATTEMPT in
		1) sleep 301.$MARK & (setsid sleep 302.$MARK &) ; (env -i setsid sleep 303.$MARK &)
			setsid sh -c 'sleep 0.2; (sleep 306.$MARK &) ; sleep 307.$MARK; :' & exit 1;;
		2) sleep 304.$MARK & (setsid sleep 305.$MARK &) ; exec sleep 300.$MARK;;
		3) exit 6;; esac`)
	r.exits(6)
	for _, n := range []int{301, 302, 303, 306, 307} {
		r.stillSleeps(n)
	}
	for _, n := range []int{300, 304, 305} {
		r.noLonger(n)
	}
}

// TestSweep ends what an attempt has left, before the next attempt and at the end, but nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, 5} {
		r := beginScript(t, fmt.Sprintf(`sleep 309.$MARK & exec "$RETRY" --sweep -n 2 --delay 0 --kill-after 0.3 -c '
			cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" " " | grep -q "[3]0[12].$MARK" && echo SURVIVOR
			sleep 301.$MARK & (trap "" TERM; exec setsid sleep 302.$MARK) &
			sleep 0.1; [ $RETRY_ATTEMPT = 2 ] && exit %d; exit 3'`, status))
		r.exits(status)
		r.noLonger(301)
		r.noLonger(302)
		r.saidTimes(0, "SURVIVOR")
		r.stillSleeps(309)
	}
}

// TestEarlierChildrenLive spares processes that retry's own process started before it executed retry.
func TestEarlierChildrenLive(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]string{
		"timeout": "--timeout 0.3 -n 2 --delay 0", "sweep": "--sweep --timeout 0.3 -n 1", "deadline": "--deadline 0.3",
	} {
		t.Run(name, func(t *testing.T) {
			r := beginScript(t, `sleep 301.$MARK & setsid sleep 302.$MARK & sh -c 'sleep 303.$MARK; :' &
				(sleep 304.$MARK & sh -c 'sleep 305.$MARK & exit' &) ; sleep 0.1
				exec "$RETRY" --kill-after 0.3 `+options+` -c 'sleep 306.$MARK & setsid sleep 307.$MARK & exec sleep 300.$MARK'`)
			r.exits(124)
			for n := 301; n <= 305; n++ {
				r.stillSleeps(n)
			}
			for _, n := range []int{300, 306, 307} {
				r.noLonger(n)
			}
		})
	}
}

// TestSurvivor has a process that even KILL by retry doesn't end: one of another user. Only root can start one.
func TestSurvivor(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		return // an ordinary user can do no part of this test
	}
	dir, err := os.MkdirTemp("", "retry-survivor-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	play := filepath.Join(dir, "play")
	script := `cp "$1" "$2/play" && chmod 4755 "$2/play" && chmod 755 "$2"`
	if text, err := exec.Command("sh", "-c", script, "sh", self(t), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r := prepare(t, binary, "-n", "3", "--delay", "0", "--timeout", "0.3", "--kill-after", "0.1", "sh", "-c",
		`echo begun; RETRY_TEST_ROLE=root exec `+play+` 300.$MARK`)
	r.command.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	r.command.Dir = "/"
	r.start()
	pid := r.sleeps(300)
	r.exits(125)
	r.stillSleeps(300)
	r.saidTimes(1, "begun")
	r.saidTimes(1, fmt.Sprintf(`process %d belongs to root, and this user can't end it; use "sudo retry ..."`, pid))
}

// TestZombies has orphans end under retry, which is their subreaper: during an attempt without a limit, during one with
// a time limit, and during a sleep.
func TestZombies(t *testing.T) {
	t.Parallel()
	const script = `retry=$PPID
		for i in 1 2 3 4 5; do (setsid sleep 0.0$i &) ; done
		sleep 0.3
		echo "attempt $(grep -l "^PPid:.$retry$" $(grep -l "^State:.Z" /proc/[0-9]*/status) /dev/null | wc -l)"
		(sh -c 'sleep 0.4; exit 3' &)
		(setsid sh -c "sleep 0.7
			echo sleep \$(grep -l '^PPid:.$retry\$' \$(grep -l '^State:.Z' /proc/[0-9]*/status) /dev/null | wc -l)" &)
		exit 9`
	for _, options := range []string{"", "--timeout 100 "} {
		r := begin(t, append(strings.Fields(options), "-n", "2", "--delay", "1.5", "sh", "-c", script)...)
		r.exits(9)
		r.saidTimes(2, "attempt 0")
		r.hears("sleep 0")
		if !regexp.MustCompile(`(?m)^sleep 0$`).MatchString(r.said()) {
			t.Errorf("zombies in the sleep:\n%s", r.said())
		}
	}
}

// TestStatusesAmongOrphans makes many attempts while orphans end all the time.
func TestStatusesAmongOrphans(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"", "--timeout 100 "} {
		report := filepath.Join(t.TempDir(), "report")
		words := append(strings.Fields(options), "--report", report, "-q", "-n", "60", "--delay", "0", "sh", "-c",
			`for i in 1 2 3; do (setsid sh -c 'sleep 0.01; exit 77' &) ; done; exit $((RETRY_ATTEMPT + 1))`)
		r := begin(t, words...)
		r.exits(61)
		text, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			if !strings.Contains(string(text), `"status":`+strconv.Itoa(i+2)) {
				t.Errorf("there is no attempt %d with status %d:\n%s", i+1, i+2, text)
				break
			}
		}
	}
}
