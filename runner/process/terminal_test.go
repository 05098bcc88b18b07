//go:build unix

package process_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A sitting is a trial on a real terminal, which is the controlling terminal of a new session.
type sitting struct {
	*trial
	terminal *os.File // the keyboard and screen side
}

// sit starts a command on a terminal.
func sit(t *testing.T, words ...string) *sitting {
	t.Helper()
	master, slave := openTerminal(t)
	r := prepare(t, words...)
	r.command.Stdin, r.command.Stdout, r.command.Stderr = slave, slave, slave
	r.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	r.command.Env = append(r.command.Env, "TERM=dumb", "PS1=prompt>", "HISTFILE=", "INPUTRC=/dev/null")
	screen, err := os.OpenFile(r.output, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	slave.Close()
	go func() {
		defer screen.Close()
		_, _ = screen.ReadFrom(master)
	}()
	return &sitting{r, master}
}

// sitWithScript starts a shell script on a terminal.
func sitWithScript(t *testing.T, script string) *sitting {
	t.Helper()
	return sit(t, "bash", "-c", script)
}

// sitInteractively starts an interactive shell on a terminal.
func sitInteractively(t *testing.T) *sitting {
	t.Helper()
	s := sit(t, "bash", "--norc", "--noprofile", "--noediting", "-i")
	s.hears("prompt>")
	return s
}

// types types text on the keyboard.
func (s *sitting) types(text string) {
	s.t.Helper()
	if _, err := s.terminal.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// The keys that the terminal turns into signals.
const (
	controlC         = "\x03"
	controlZ         = "\x1a"
	controlBackslash = "\x1c"
)

// shows waits for a text on the screen, where lines end in CR LF.
func (s *sitting) shows(text string) {
	s.t.Helper()
	s.hears(text)
}

// fences is how many signals settled sends.
const fences = 10

// settled waits until all signals that were sent to retry before must have reached a listener through it. retry handles
// one signal at a time, and takes them from two queues in turn.
func (r *trial) settled(retry int) {
	r.t.Helper()
	for range fences {
		before := r.count("got SIGALRM")
		if err := syscall.Kill(retry, syscall.SIGALRM); err != nil {
			r.t.Fatal(err)
		}
		until(r.t, "a forwarded ALRM", func() bool { return r.count("got SIGALRM") > before }, r.said)
	}
}

// retry with a listener as its command, as a child of the shell and in place of it.
const (
	listenUnderRetry = `RETRY_TEST_ROLE=listen "$RETRY" -n 3 --delay 0 "$PLAY"`
	listenAsRetry    = `RETRY_TEST_ROLE=listen exec "$RETRY" -n 3 --delay 0 "$PLAY"`
)

// emulator is the program under which retry runs if it was built for another kind of machine. The other programs of a
// trial don't.
var emulator = os.Getenv("RETRY_TEST_EMULATOR")

// retryOf returns retry's process in the trial.
func (s *sitting) retryOf() int {
	s.t.Helper()
	found := 0
	isRetry := func(pid int) bool {
		path := programOf(pid)
		return path == binary || path == emulator
	}
	until(s.t, "retry", func() bool {
		for _, pid := range s.living() {
			// A child that has been forked but has not executed its program yet still runs the same one.
			if isRetry(pid) && !isRetry(parentOf(pid)) {
				found = pid
			}
		}
		return found != 0
	}, s.said)
	return found
}

func TestTerminalInterruptsScript(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"attempt": `"$RETRY" -c 'echo ready; exec sleep 300.$MARK'`,
		"limited": `"$RETRY" --timeout 100 -c 'echo ready; exec sleep 300.$MARK'`,
		"piped":   `"$RETRY" --stop-if output:x -c 'echo ready; exec sleep 300.$MARK'`,
		"sleep":   `"$RETRY" --delay 300 -c 'echo ready; exit 1'`,
	} {
		for key, number := range map[string]syscall.Signal{controlC: syscall.SIGINT, controlBackslash: syscall.SIGQUIT} {
			t.Run(fmt.Sprint(name, number), func(t *testing.T) {
				s := sitWithScript(t, "ulimit -c 0; "+command+"; echo NEXT $?")
				s.shows("ready")
				if name == "sleep" {
					s.shows("sleeping")
				} else {
					s.sleeps(300)
				}
				s.types(key)
				if number == syscall.SIGINT {
					s.dies(number)
					s.saidTimes(0, "NEXT")
				} else {
					s.exits(0) // bash itself ignores QUIT and goes on after a command that died of it
					s.shows("NEXT 131")
				}
				s.goneAlready()
				if strings.Contains(s.said(), "goroutine") {
					t.Errorf("it said:\n%s", s.said())
				}
			})
		}
	}
}

// Ctrl-Z during a countdown leaves nothing of it on the screen, and fg continues it.
func TestTerminalSuspendsCountdown(t *testing.T) {
	t.Parallel()
	s := sitInteractively(t)
	s.types("unset CI; NO_COLOR=1 TERM=xterm \"$RETRY\" -n 2 --delay 300 false\n")
	s.shows("attempt 2/2 in 5m\r")
	s.types(controlZ)
	s.shows("Stopped")
	const erased = "\r\x1b[K"
	stopped, _, _ := strings.Cut(s.said(), "[1]+")
	if left := stopped[strings.LastIndex(stopped, erased)+len(erased):]; strings.TrimSpace(left) != "" {
		t.Errorf("the screen shows %q", left)
	}
	s.types("fg\n")
	until(t, "another picture", func() bool {
		_, after, _ := strings.Cut(s.said(), "fg\r\n")
		return strings.Contains(after, "attempt 2/2 in ")
	}, s.said)
	s.types(controlC)
	s.types("exit\n")
	s.exits(130)
}

func TestTerminalInterruptsInInteractiveShell(t *testing.T) {
	t.Parallel()
	s := sitInteractively(t)
	s.types(`"$RETRY" -c 'echo re''ady; exec sleep 300.$MARK'` + "\n")
	s.shows("ready")
	s.sleeps(300)
	s.types(controlC)
	until(t, "the command to be gone", func() bool { _, found := s.sleeper(300); return !found }, s.said)
	s.types("echo status $?\n")
	s.shows("status 130")
	s.types("exit 3\n")
	s.exits(3)
}

func TestTerminalStopsAndContinues(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"", "--timeout 100", "--stdout last --stderr last"} {
		t.Run(options, func(t *testing.T) {
			s := sitInteractively(t)
			s.types(`"$RETRY" ` + options + ` -c 'read x; echo "<$x>"' --` + "\n")
			retry := s.retryOf()
			command := childOf(s, retry)
			s.types(controlZ)
			s.shows("Stopped")
			until(t, "both to stop", func() bool { return stateOf(retry) == 'T' && stateOf(command) == 'T' }, s.said)
			s.types("fg\n")
			until(t, "both to go on", func() bool { return stateOf(retry) != 'T' && stateOf(command) != 'T' }, s.said)
			s.types("word\n")
			s.shows("<word>")
			s.types("echo status $?\n")
			s.shows("status 0")
			s.types("exit 0\n")
			s.exits(0)
			s.goneAlready()
		})
	}
}

// childOf waits until a process has a child that has executed its program.
func childOf(s *sitting, parent int) (child int) {
	s.t.Helper()
	until(s.t, "a child", func() bool {
		for _, pid := range s.living() {
			if name := arguments(pid)[0]; parentOf(pid) == parent && name != binary && name != emulator {
				child = pid
			}
		}
		return child != 0
	}, s.said)
	return child
}

func TestTerminalIsRead(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `"$RETRY" -n 2 --delay 0 -c 'read x; echo "read <$x>"; [ "$x" = two ]'; echo status $?`)
	s.types("one\n")
	s.shows("read <one>")
	s.types("two\n")
	s.shows("read <two>")
	s.shows("status 0")
	s.exits(0)
}

// TestTerminalIsTheSame compares the terminal as a command finds it with what the command finds without retry.
func TestTerminalIsTheSame(t *testing.T) {
	t.Parallel()
	const look = `sh -c 'for i in 0 1 2; do [ -t $i ] && echo is $i; done; tty; stty -a; echo descriptors $(ls /proc/self/fd); ps -o pgid=,tpgid= -p $$ |
		while read a b; do [ $a = $b ] && echo foreground; done'`
	s := sitWithScript(t, look+`; echo ====; "$RETRY" `+look+`; echo ====; "$RETRY" --timeout 100 `+look)
	s.exits(0)
	until(t, "the screen", func() bool { return s.count("foreground") == 3 }, s.said)
	parts := strings.Split(s.said(), "====\r\n")
	if len(parts) != 3 || parts[0] != parts[1] || parts[0] != parts[2] || s.count("is 2") != 3 {
		t.Errorf("they differ:\n%s", s.said())
	}
}

// TestTerminalInterruptsListener has a command that handles SIGINT itself, as a REPL does. It receives only those of
// the terminal, and its exit status counts.
func TestTerminalInterruptsListener(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"alone":  listenAsRetry,
		"script": listenUnderRetry + "; echo NEXT $?",
	} {
		t.Run(name, func(t *testing.T) {
			s := sitWithScript(t, script)
			s.shows("listening")
			for i := range 3 {
				s.types(controlC)
				until(t, "INT", func() bool { return s.count("got SIGINT") == i+1 }, s.said)
				s.settled(s.retryOf())
			}
			s.types("exit0\n")
			s.end()
			s.saidTimes(3, "got SIGINT")
			s.saidTimes(1, "listening")
			if name == "alone" {
				s.exits(0)
			} else {
				s.shows("NEXT 0")
			}
		})
	}
}

// TestTerminalBehindFiles has none of the standard streams be the terminal, which sends its INT to the command all the same.
func TestTerminalBehindFiles(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `exec "$RETRY" -c 'trap "exit 0" INT; sleep 300.$MARK; :' </dev/null >/dev/null 2>&1`)
	s.sleeps(300)
	s.types(controlC)
	s.exits(0)
}

func TestTerminalInterruptThenFailure(t *testing.T) {
	t.Parallel()
	for key, number := range map[string]syscall.Signal{controlC: syscall.SIGINT, controlBackslash: syscall.SIGQUIT} {
		s := sitWithScript(t, listenAsRetry)
		s.shows("listening")
		s.types(key)
		s.shows("got " + unix.SignalName(number))
		s.types("exit1\n")
		s.dies(number)
		s.saidTimes(1, "listening")
		s.saidTimes(1, "got")
	}
}

// TestTerminalInterruptStartsNoClock leaves alone a command that handles SIGINT, even with a KILL timer for other signals.
func TestTerminalInterruptStartsNoClock(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `RETRY_TEST_ROLE=listen exec "$RETRY" --kill-after 0.2 "$PLAY"`)
	s.shows("listening")
	s.types(controlC)
	s.shows("got SIGINT")
	time.Sleep(500 * time.Millisecond)
	s.types("exit0\n")
	s.exits(0)
}

// TestTerminalAndKill sends signals by kill(1) within the terminal's foreground group. Signals that a terminal never
// sends are forwarded.
func TestTerminalAndKill(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, listenAsRetry)
	s.shows("listening")
	for _, number := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGHUP, syscall.SIGTERM} {
		s.send(number)
		s.shows("got " + unix.SignalName(number))
	}
	s.settled(s.pid())
	s.saidTimes(4+fences, "got")
	s.types("exit0\n")
	s.dies(syscall.SIGTERM)
}

// TestTerminalAndKilledByINT depends on knowing who sent a SIGINT, which only Linux on amd64 and arm64 tells.
func TestTerminalAndKilledByINT(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, listenAsRetry)
	s.shows("listening")
	for i := range 2 {
		s.send(syscall.SIGINT)
		until(t, "an INT by kill", func() bool { return s.count("got SIGINT") == i+1 }, s.said)
	}
	s.types(controlC)
	until(t, "the terminal's INT", func() bool { return s.count("got SIGINT") == 3 }, s.said)
	s.settled(s.pid())
	s.saidTimes(3+fences, "got")
	s.types("exit1\n")
	s.dies(syscall.SIGINT)
}

// TestTerminalInterruptSweeps has a command that leaves a process in the background, where the shell makes it ignore SIGINT.
func TestTerminalInterruptSweeps(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `exec "$RETRY" -c 'sleep 301.$MARK & sleep 300.$MARK'`)
	s.sleeps(300)
	s.sleeps(301)
	s.types(controlC)
	s.dies(syscall.SIGINT)
	s.goneAlready()
}

// TestTerminalIsTakenBack kills an interactive shell that has made its own group the terminal's foreground group. If
// retry didn't take the terminal back, the next attempt and whatever reads the terminal after retry would be stopped.
func TestTerminalIsTakenBack(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `"$RETRY" --timeout 0.5 --kill-after 0.1 -n 3 --delay 0 -- bash --norc -i; echo status $?; read x; echo "<$x>"`)
	s.shows("status 124")
	s.types("word\n")
	s.shows("<word>")
	s.exits(0)
}

func TestTerminalIsResized(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, listenAsRetry)
	s.shows("listening")
	for i := range 3 {
		onDescriptor(t, s.terminal, func(descriptor int) {
			size := unix.Winsize{Row: 30, Col: uint16(90 + i)}
			if err := unix.IoctlSetWinsize(descriptor, unix.TIOCSWINSZ, &size); err != nil {
				t.Error(err)
			}
		})
		until(t, "WINCH", func() bool { return s.count("got SIGWINCH") == i+1 }, s.said)
		s.settled(s.pid())
	}
	s.types("exit0\n")
	s.exits(0)
	s.saidTimes(3+3*fences, "got")
}

// TestTerminalBackgroundJob runs retry in the background of a script, where SIGINT and SIGQUIT are ignored.
func TestTerminalBackgroundJob(t *testing.T) {
	t.Parallel()
	// The outer shell must live on, because the end of the session leader hangs up the terminal.
	s := sitWithScript(t, `trap : INT; bash -c '"$RETRY" sleep 300.$MARK & wait; echo NEXT'; echo script $?; wait; read x`)
	retry := s.retryOf()
	s.sleeps(300)
	s.types(controlC)
	s.shows("script 130")
	if !ignores(t, retry, syscall.SIGINT) || !ignores(t, s.sleeps(300), syscall.SIGINT) {
		t.Error("INT is not ignored")
	}
	s.stillSleeps(300)
	if err := syscall.Kill(retry, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	until(t, "the command to be gone", func() bool { _, found := s.sleeper(300); return !found }, s.said)
	s.types("\n")
	s.exits(0)
	s.saidTimes(0, "NEXT")
}

// TestTerminalBackgroundInInteractiveShell runs retry in a background group. Ctrl-C doesn't reach it, and reading the
// terminal stops it.
func TestTerminalBackgroundInInteractiveShell(t *testing.T) {
	t.Parallel()
	s := sitInteractively(t)
	s.types(`"$RETRY" -n 2 --delay 0 -c 'read x; echo "read <$x>"' &` + "\n")
	retry := s.retryOf()
	command := childOf(s, retry)
	until(t, "both to stop", func() bool { return stateOf(retry) == 'T' && stateOf(command) == 'T' }, s.said)
	until(t, "a second prompt", func() bool { return s.count("prompt>") == 2 }, s.said)
	s.types(controlC)
	until(t, "a third prompt", func() bool { return s.count("prompt>") > 2 }, s.said) // otherwise bash may drop what is typed
	until(t, "bash to know that it has stopped", func() bool {
		s.types("\n") // bash now reports the stop; otherwise fg would take it for a new one
		return s.count("Stopped") > 0
	}, s.said)
	s.types("fg\n")
	until(t, "it to go on", func() bool { return stateOf(retry) != 'T' }, s.said)
	s.types("something\n")
	s.shows("read <something>")
	s.types("exit 0\n")
	s.exits(0)
}

// TestTerminalTimeout ends everything of the attempt, and nothing of the caller, which is in the same process group.
func TestTerminalTimeout(t *testing.T) {
	needs(t, "setsid(1)")
	t.Parallel()
	s := sitWithScript(t, `sleep 301.$MARK & "$RETRY" --timeout 0.3 --delay 0 -n 2 -c '
		sleep 302.$MARK & setsid sleep 303.$MARK & sleep 304.$MARK'; echo status $?; read x; exit 5`)
	s.shows("status 124")
	for _, n := range []int{302, 303, 304} {
		s.noLonger(n)
	}
	s.stillSleeps(301)
	s.types("\n")
	s.exits(5)
}

// TestTerminalHangup closes the terminal, so that the kernel sends SIGHUP to the foreground group.
func TestTerminalHangup(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `exec "$RETRY" -c 'echo ready; exec sleep 300.$MARK'`)
	s.shows("ready")
	s.sleeps(300)
	s.terminal.Close()
	s.dies(syscall.SIGHUP)
	s.gone()
}

// TestTerminalEditor does what editors do: set the terminal's modes, read Ctrl-C as a character, and restore the modes.
func TestTerminalEditor(t *testing.T) {
	t.Chdir(t.TempDir())
	s := sitWithScript(t, `stty -g >before; "$RETRY" -c '
		stty raw -echo; echo raw; dd bs=1 count=1 2>/dev/null; stty "$(cat before)"'
		echo status $?; stty -g >after; cmp before after && echo same`)
	s.shows("raw")
	s.types(controlC) // an ordinary byte in this mode
	s.shows("status 0")
	s.shows("same")
	s.exits(0)
}

// TestTerminalSimulates has a long simulation show its progress and, on Ctrl-C, the results so far.
func TestTerminalSimulates(t *testing.T) {
	t.Parallel()
	s := sitWithScript(t, `"$RETRY" --simulate outage:clients=5000000 --seed 1; echo NEXT`)
	s.shows("retry: [")
	s.types(controlC)
	s.shows("interrupted: the numbers are incomplete")
	s.dies(syscall.SIGINT)
	if s.count("NEXT") != 0 {
		t.Errorf("the script went on:\n%s", s.said())
	}
}

// TestTerminalCountdown looks at the line below that of a sleep: it appears, it is erased before the next attempt
// prints, and a SIGUSR1 sent to retry ends the sleep.
func TestTerminalCountdown(t *testing.T) {
	t.Parallel()
	const line = `RETRY_OPTS= exec env -u CI -u NO_COLOR TERM=xterm "$RETRY" -n 2 --delay 300 -- sh -c 'echo out $RETRY_ATTEMPT; exit 3'`
	s := sitWithScript(t, line)
	s.shows("attempt 2/2 in 5m")
	s.shows("attempt 2/2 in 4m59s")
	s.send(syscall.SIGUSR1)
	s.exits(3)
	s.shows("giving up after 2 attempts")
	said := s.said()
	if !strings.Contains(said, "\r\x1b[K\x1b[2mattempt 2/2 in 4m59s\x1b[m\r") {
		t.Errorf("no countdown as expected in %q", said)
	}
	if _, after, _ := strings.Cut(said, "out 1"); !strings.Contains(after, "\r\x1b[Kout 2\r\n") {
		t.Errorf("the countdown was not erased before the command printed: %q", said)
	}
	for _, without := range []string{"TERM=dumb", "TERM=", "TERM=xterm CI=1"} {
		s := sitWithScript(t, strings.Replace(strings.Replace(line, "TERM=xterm", without, 1), "300", "0.9", 1))
		s.exits(3)
		if said := s.said(); strings.ContainsAny(said, "\x1b") || strings.Contains(said, "2/2 in") {
			t.Errorf("with %s: %q", without, said)
		}
	}
	s = sitWithScript(t, strings.Replace(strings.Replace(line, "-u NO_COLOR", "NO_COLOR=1", 1), "300", "0.9", 1))
	s.exits(3)
	if said := s.said(); strings.Contains(said, "\x1b[2m") || !strings.Contains(said, "attempt 2/2 in 1s\r") {
		t.Errorf("with NO_COLOR: %q", said)
	}
	// A countdown doesn't change how a sleep is interrupted.
	s = sitWithScript(t, line)
	s.shows("attempt 2/2 in ")
	s.types(controlC)
	s.dies(syscall.SIGINT)
	s.saidTimes(1, "out")
	s.shows("not retrying: SIGINT received")
}
