//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What a person sees of a watched command, and the effect of keys, are compared screen by screen with the same command without
// retry. tmux is the terminal.

// A screen is a terminal with 80 columns and 24 rows, in which a shell runs.
type screen struct {
	*testing.T
	socket string
	mask   *regexp.Regexp // what may differ between two runs
}

// sit opens a terminal in a directory. Its shell has a function run, which runs a command, watched or bare.
func sit(t *testing.T, dir, run string) *screen {
	t.Helper()
	s := &screen{T: t, socket: filepath.Join(t.TempDir(), "tmux")}
	rc := filepath.Join(t.TempDir(), "rc")
	text := "PS1='$ '; unset HISTFILE PROMPT_COMMAND; bind 'set enable-bracketed-paste off'; RUN='" + run + "'; run() { $RUN \"$@\"; }\n"
	if err := os.WriteFile(rc, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("tmux", "-f", "/dev/null", "-S", s.socket, "new-session", "-d", "-x", "80", "-y", "24",
		"-c", dir, "bash --noprofile --rcfile "+rc)
	shell.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LESS=", "LESSHISTFILE=-", "SHELL=/bin/bash", "RETRY_OPTS=", "CI=")
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, output)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	s.tmux("set-option", "-g", "status", "off")
	s.tmux("resize-window", "-x", "80", "-y", "24")
	s.until("$")
	return s
}

func (s *screen) tmux(words ...string) string {
	s.Helper()
	output, err := exec.Command("tmux", append([]string{"-S", s.socket}, words...)...).CombinedOutput()
	if err != nil {
		s.Fatalf("tmux %q: %v\n%s", words, err, output)
	}
	return string(output)
}

// shown returns the screen with its colours, the position of the cursor, and whether it is the alternate screen, apart
// from what the mask covers.
func (s *screen) shown() string {
	s.Helper()
	text := s.tmux("capture-pane", "-p", "-e", ";", "display-message", "-p", "cursor #{cursor_x},#{cursor_y} alternate #{alternate_on}")
	if s.mask != nil {
		text = s.mask.ReplaceAllString(text, "#")
	}
	return text
}

// until waits for a text on the screen.
func (s *screen) until(text string) {
	s.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) { // each look starts a process
		shown := s.tmux("capture-pane", "-p")
		if strings.Contains(shown, text) {
			return
		}
		if time.Since(began) > 40*time.Second {
			s.Fatalf("waited in vain for %q; there is\n%s", text, shown)
		}
	}
}

// agree waits until two screens show the same and have stayed so for a while.
func agree(t *testing.T, bare, watched *screen, after []string) {
	t.Helper()
	last, since := "", time.Now()
	for began := time.Now(); last == "" || time.Since(since) < 400*time.Millisecond; time.Sleep(100 * time.Millisecond) {
		want, got := bare.shown(), watched.shown()
		if want != got {
			last = ""
		} else if want != last {
			last, since = want, time.Now()
		}
		if time.Since(began) > 40*time.Second {
			t.Fatalf("after %q there is\n%s\nwith retry, and without\n%s", after, got, want)
		}
	}
}

// compare performs the steps without retry and with it, and expects the same screens, apart from what the mask covers.
func compare(t *testing.T, dir, mask string, steps ...step) {
	t.Helper()
	bare, watched := sit(t, dir, "command"), sit(t, dir, "retry -qq --transient --")
	if mask != "" {
		bare.mask = regexp.MustCompile(mask)
		watched.mask = bare.mask
	}
	for _, st := range steps {
		bare.do(st)
		watched.do(st)
		agree(t, bare, watched, st.keys)
	}
}

// A step is what is typed, and a text that shows that the response has arrived. If the first key is "resize", the new size
// follows.
type step struct {
	keys  []string
	until string
}

// do types the keys of a step, by tmux's names for them.
func (s *screen) do(st step) {
	s.Helper()
	if st.keys[0] == "resize" {
		s.tmux("resize-window", "-x", st.keys[1], "-y", st.keys[2])
	} else {
		s.tmux(append([]string{"send-keys"}, st.keys...)...)
	}
	s.until(st.until)
}

// typed returns a step that types a line.
func typed(line, until string) step { return step{[]string{line, "Enter"}, until} }

// key returns a step that types a single key.
func key(name, until string) step { return step{[]string{name}, until} }

// sessions lists the steps for each program. At the end of each, the terminal's settings are shown.
var sessions = map[string]struct {
	mask  string
	steps []step
}{
	"ls": {steps: []step{typed("run ls --color=auto", "$")}},
	"colours": {steps: []step{
		typed(`run printf '\e[38;2;10;200;30mgreen\e[0m \e[48;2;90;0;9mred\e[0m\n'`, "red"),
	}},
	"size": {steps: []step{
		typed("run sh -c 'stty size <&1; stty size <&2; tput cols'", "80"),
		{[]string{"resize", "100", "30"}, "$"},
		typed("run sh -c 'stty size <&1; stty size <&2; tput cols'", "100"),
	}},
	"python": {steps: []step{
		typed("run python3 -q", ">>>"),
		typed("1 + 1", "2"),
		{[]string{"Up", "Home", "5", "Enter"}, "52"},
		{[]string{"C-c"}, "KeyboardInterrupt"},
		typed("import sys; sys.stdout.isatty(), sys.stderr.isatty()", "(True, True)"),
		key("C-d", "$"),
	}},
	"less": {steps: []step{
		typed("run less numbers", "numbers"),
		key("Space", "40"),
		typed("/57", "57"),
		{[]string{"resize", "60", "12"}, "57"},
		key("C-z", "Stopped"),
		typed("fg", "57"),
		key("q", "$"),
	}},
	"less of a pipe": {steps: []step{
		typed("seq 200 | run less", ":"),
		key("G", "200"),
		key("q", "$"),
	}},
	"more": {steps: []step{
		typed("run more numbers", "--More--"),
		key("Space", "46"),
		key("Enter", "47"),
		key("C-z", "Stopped"),
		typed("fg", "fg"),
		key("q", "$"),
	}},
	"vim": {steps: []step{
		typed("run vim -n -u NONE -N numbers", "numbers"),
		{[]string{"o", "hello", "Escape"}, "hello"},
		{[]string{"resize", "70", "15"}, "hello"},
		key("C-z", "Stopped"),
		typed("fg", "hello"),
		typed(":q!", "$"),
	}},
	"fzf": {steps: []step{
		typed("seq 200 | run fzf --height=40% --no-info", "9"),
		{[]string{"1", "5"}, "15"},
		{[]string{"resize", "60", "20"}, "15"},
		key("Enter", "$"),
	}},
	"top": {
		mask: `(?m)^.*(top -|Tasks:|Cpu|Mem|Swap| root | nobody ).*$|%MEM.*$`,
		steps: []step{
			typed("run top -d 100 -p 1", "PID USER"),
			key("h", "Help for Interactive"),
			key("q", "PID USER"),
			{[]string{"resize", "60", "20"}, "PID USER"},
			key("q", "$"),
		},
	},
	"curses": {steps: []step{
		typed("run python3 keys.py", "ready"),
		key("a", "key a"),
		{[]string{"resize", "60", "12"}, "size 12 60"},
		key("Up", "key KEY_UP"),
		key("q", "$"),
	}},
	"keys from standard error": {steps: []step{
		typed("run sh -c 'printf \"name? \" >&2; read name <&2; echo \"hello $name\"'", "name?"),
		typed("world", "hello world"),
	}},
	"job": {steps: []step{
		typed("run sh -c 'echo begun; read line; echo got $line'", "begun"),
		key("C-z", "Stopped"),
		// bash tells of a job that has stopped before its next prompt, and it stops again a little later than it continues.
		typed("bg; until jobs -s | grep -q .; do sleep 0.1; done", "&"),
		typed("fg", "run"),
		typed("text", "got text"),
		typed("run sh -c 'echo sleeping; sleep 100'", "sleeping"),
		key("C-c", "$"),
		typed("echo status $?", "status 130"),
	}},
}

// TestWatchedScreens runs every session twice.
func TestWatchedScreens(t *testing.T) {
	t.Parallel()
	readSources()
	dir := t.TempDir()
	var numbers strings.Builder
	for i := range 200 {
		fmt.Fprintln(&numbers, i+1)
	}
	for name, text := range map[string]string{"numbers": numbers.String(), "keys.py": cursesProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, session := range sessions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compare(t, dir, session.mask, append(session.steps, typed("stty -g", ":"))...)
		})
	}
}

// cursesProgram sets the terminal's modes through standard output, and reads its keys from standard input.
const cursesProgram = `import curses
def main(screen):
    screen.addstr(0, 0, "ready")
    while True:
        key = screen.getkey()
        rows, columns = screen.getmaxyx()
        screen.erase()
        screen.addstr(0, 0, "key " + key)
        screen.addstr(1, 0, "size %d %d" % (rows, columns))
        if key == "q":
            return
curses.wrapper(main)
`
