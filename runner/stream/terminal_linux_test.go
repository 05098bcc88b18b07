package stream

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// Depending on the mode, the command gets a pseudo-terminal in place of a watched terminal, never, or always.
func TestWhoGetsTerminals(t *testing.T) {
	d := newDesk(t)
	outputs(t) // so that standard output isn't a terminal
	replace(t, 2, d.real)
	for _, test := range []struct {
		mode    runner.TTY
		watched string
		want    [2]bool // whether there is one in place of a file, and in place of a terminal
	}{
		{runner.AutoTTY, "output:x", [2]bool{false, true}},
		{runner.AutoTTY, "stdout:x", [2]bool{false, false}},
		{runner.NeverTTY, "output:x", [2]bool{false, false}},
		{runner.AlwaysTTY, "output:x", [2]bool{true, true}},
		{runner.AlwaysTTY, "stdout:x", [2]bool{true, false}},
	} {
		s := testStreams(t, func(j *runner.Job) { j.TTY, j.Rules = test.mode, patterns(t, test.watched) })
		files, exit, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range test.want {
			file := files[i+1]
			if got := file.Fd() > 2 && console.Width(int(file.Fd())) > 0; got != want {
				t.Errorf("mode %v, %s: descriptor %d is a pseudo-terminal: %v", test.mode, test.watched, i+1, got)
			}
		}
		if got := s.HasTerminals(); got != test.want[1] {
			t.Errorf("mode %v, %s: one stands in place of a terminal: %v", test.mode, test.watched, got)
		}
		exit()
		s.Abandon()
	}
}

// size returns the size of a terminal in columns and rows.
func size(t *testing.T, terminal *os.File) [2]uint16 {
	t.Helper()
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		t.Fatal(err)
	}
	return [2]uint16{size.Col, size.Row}
}

func resize(t *testing.T, terminal *os.File, columns, rows uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}); err != nil {
		t.Fatal(err)
	}
}

// A pseudo-terminal has the size of the terminal that it replaces, and keeps it when that changes.
func TestTerminalSize(t *testing.T) {
	d := newDesk(t)
	outputs(t)
	replace(t, 2, d.real)
	resize(t, d.real, 100, 30)
	s := testStreams(t, func(j *runner.Job) { j.TTY, j.Rules = runner.AutoTTY, patterns(t, "stderr:x") })
	if s.Resize() {
		t.Error("a terminal was resized before it was opened")
	}
	files, exit, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	if got := size(t, files[2]); got != [2]uint16{100, 30} || s.Resize() {
		t.Errorf("the size is %v at first", got)
	}
	for _, want := range [][2]uint16{{120, 30}, {120, 40}} {
		resize(t, d.real, want[0], want[1])
		if changed, again := s.Resize(), s.Resize(); !changed || again {
			t.Errorf("resized: %v, and again: %v", changed, again)
		}
		if got := size(t, files[2]); got != want {
			t.Errorf("the size is %v, want %v", got, want)
		}
	}
	exit()
	s.Abandon()
}

// Without a real terminal, the environment determines the size, which is 80 by 24 by default.
func TestTerminalSizeWithoutTerminal(t *testing.T) {
	outputs(t)
	for _, test := range []struct {
		columns, lines string
		want           [2]uint16
	}{
		{"", "", [2]uint16{80, 24}}, {"132", "50", [2]uint16{132, 50}}, {"1", "1", [2]uint16{1, 1}}, {"0", "-1", [2]uint16{80, 24}},
		{"65536", "many", [2]uint16{80, 24}}, {"65535", "", [2]uint16{65535, 24}},
	} {
		t.Setenv("COLUMNS", test.columns)
		t.Setenv("LINES", test.lines)
		s := testStreams(t, func(j *runner.Job) { j.TTY = runner.AlwaysTTY })
		files, exit, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if got := size(t, files[1]); got != test.want || s.Resize() {
			t.Errorf("%s columns, %s lines: %v, want %v", test.columns, test.lines, got, test.want)
		}
		exit()
		s.Abandon()
	}
}

// watched returns streams whose pseudo-terminals replace the desk's terminal, or others.
func watched(t *testing.T, d *desk) *Streams {
	t.Helper()
	replace(t, 1, d.real)
	replace(t, 2, d.real)
	return testStreams(t, func(j *runner.Job) { j.TTY, j.Rules = runner.AutoTTY, patterns(t, "output:end") })
}

// The real terminal gets all bytes that the command writes, unchanged, attempt after attempt.
func TestTerminalPassesBytes(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(s *unix.Termios) { s.Lflag &^= unix.ICANON | unix.ECHO })
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	s := watched(t, d)
	for _, text := range []string{"", "unfinished", string(all), strings.Repeat("0123456789abcde\n", 1<<14) + "end"} {
		ended := make(chan policy.Outcome)
		go func() {
			o, err := attempt(t, s, func(files [3]*os.File) { write(t, files[1], text) })
			if err != nil {
				t.Error(err)
			}
			ended <- o
		}()
		d.shows(t, text)
		if o := <-ended; (len(o.Matched) > 0) != strings.HasSuffix(text, "end") {
			t.Errorf("%.20q: found %v", text, o.Matched)
		}
	}
}

// Lines that the command writes to its two streams in turn arrive at their common terminal in that order. Several
// writes to the same stream in a row are one turn.
func TestTerminalKeepsOrder(t *testing.T) {
	d := newDesk(t)
	s := watched(t, d)
	inTurn := func(n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("%d line %d\n", 1+i%2, i))
		}
		return lines
	}
	long := strings.Repeat("x", flood) + "\n"
	for _, lines := range [][]string{
		inTurn(60), {"1 a\n", "2 b\n", "2 c\n", "2 d\n"}, {"2 a\n", "2 b\n", "1 c\n", "1 d\n"}, {"1 a\nb\nc\n", "2 d\n"},
		{"1 a\n", "2 " + long, "1 b\n", "2 c\n"}, {"2 " + long, "1 " + long},
	} {
		files, exit, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		var want string
		for _, line := range lines {
			want += line[2:]
			needOrder(t, s.carriers[0])
			write(t, files[line[0]-'0'], line[2:])
		}
		ended := make(chan error)
		go func() {
			s.Start(func() time.Duration { return 0 })
			exit()
			ended <- s.Finish(nil, &policy.Outcome{})
		}()
		d.shows(t, want)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// If standard output and standard error are two terminals, each has a carrier of its own.
func TestTwoTerminals(t *testing.T) {
	one, other := newDesk(t), newDesk(t)
	s := watched(t, one)
	replace(t, 2, other.real)
	s = testStreams(t, func(j *runner.Job) { *j = *s.job })
	if _, err := attempt(t, s, says(t, "output\n", "errors\n")); err != nil {
		t.Error(err)
	}
	one.shows(t, "output\n")
	other.shows(t, "errors\n")
	if len(s.carriers) != 2 {
		t.Errorf("%d carriers", len(s.carriers))
	}
}

// If retry's output has lost its reader, that ends a command on a terminal.
func TestTerminalWithoutReader(t *testing.T) {
	outputs(t)
	reader, writer := pair(t)
	replace(t, 1, writer)
	reader.Close()
	s := testStreams(t, func(j *runner.Job) { j.TTY = runner.AlwaysTTY })
	files, exit := begun(t, s)
	write(t, files[1], "text\n")
	if err := <-s.Broken; err.Error() != "standard output: broken pipe" {
		t.Errorf("got %v", err)
	}
	<-s.output[0].done
	if _, err := unix.Write(int(files[2].Fd()), []byte("more\n")); err != nil {
		t.Errorf("the other terminal: %v", err)
	}
	exit()
	if err := s.Finish(nil, &policy.Outcome{}); err == nil {
		t.Error("there was no error")
	}
}

// A daemon that keeps the terminal open delays retry for Lingering, and what it has written by then is passed on.
func TestTerminalHeldByDaemon(t *testing.T) {
	t.Parallel()
	var sink bytes.Buffer
	r := &relay{name: "standard output", sink: &sink, broken: make(chan error, 1), terminal: &terminal{real: -1, master: -1}}
	slave, _, err := r.open()
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	daemon, err := unix.FcntlInt(slave.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(daemon)
	carriers, err := newCarriers([]*relay{r})
	if err != nil || len(carriers) != 1 || !carriers[0].prepare() {
		t.Fatalf("%v, %v", carriers, err)
	}
	began := time.Now()
	carriers[0].hurry()
	go carriers[0].run()
	if _, err := unix.Write(daemon, []byte("late\n")); err != nil {
		t.Error(err)
	}
	<-r.done
	carriers[0].settle()
	if took := time.Since(began); took < Lingering || sink.String() != "late\n" {
		t.Errorf("after %v there is %q", took, &sink)
	}
	if _, err := unix.Write(daemon, []byte("later\n")); err == nil {
		t.Error("the daemon could still write")
	}
}

// A pseudo-terminal starts with the settings of the real one, except those that would change bytes.
func TestTerminalSettings(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(s *unix.Termios) {
		s.Oflag |= unix.OPOST | unix.ONLCR
		s.Lflag &^= unix.ECHO
		s.Cc[unix.VINTR] = 7
	})
	s := watched(t, d)
	files, exit, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	got, want := settingsOf(t, files[1]), d.settings(t)
	if got.Oflag != want.Oflag&^unix.OPOST || got.Lflag != want.Lflag|unix.EXTPROC || got.Iflag != want.Iflag || got.Cc != want.Cc {
		t.Errorf("it has %+v, the real one %+v", got, want)
	}
	exit()
	s.Abandon()
}

// What differs between two settings changes in the third, and nothing else does. Output processing and EXTPROC are left
// to retry.
func TestChangedSettings(t *testing.T) {
	// Each bit is another combination of the three.
	third := unix.Termios{Iflag: 0b11110000, Oflag: unix.OPOST | 0b11110000<<8, Lflag: 0b11110000}
	was := unix.Termios{Iflag: 0b11001100, Oflag: 0b11001100 << 8, Lflag: 0b11001100 | unix.EXTPROC}
	now := unix.Termios{Iflag: 0b10101010, Oflag: unix.OPOST | 0b10101010<<8, Lflag: 0b10101010}
	third.Cc, was.Cc, now.Cc = [19]uint8{1, 2, 3}, [19]uint8{1, 1, 5}, [19]uint8{1, 4, 5}
	want := unix.Termios{Iflag: 0b10110010, Oflag: unix.OPOST | 0b10110010<<8, Lflag: 0b10110010, Cc: [19]uint8{1, 4, 3}}
	if got := changed(third, was, now); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	third.Lflag, want.Lflag = third.Lflag|unix.EXTPROC, want.Lflag|unix.EXTPROC
	third.Oflag, want.Oflag = third.Oflag&^unix.OPOST, want.Oflag&^unix.OPOST
	if got := changed(third, was, now); got != want {
		t.Errorf("with the other settings of retry: got %+v, want %+v", got, want)
	}
}

// The settings that the command gives one of its terminals are applied to the real one and to the other, until the
// command ends.
func TestTerminalMirrorsSettings(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		before := d.settings(t)
		s := watched(t, d)
		if _, err := attempt(t, s, func(files [3]*os.File) {
			changeSettings(t, files[1], func(s *unix.Termios) { s.Lflag &^= unix.ECHO })
			become(t, "the real terminal stops echoing", func() bool { return d.settings(t).Lflag&unix.ECHO == 0 })
			become(t, "the other one stops echoing", func() bool { return settingsOf(t, files[2]).Lflag&unix.ECHO == 0 })
			changeSettings(t, files[2], func(s *unix.Termios) { s.Lflag, s.Oflag = s.Lflag&^(unix.ICANON|unix.EXTPROC), s.Oflag|unix.OPOST })
			become(t, "the real terminal leaves canonical mode", func() bool { return d.settings(t).Lflag&unix.ICANON == 0 })
			become(t, "the settings leave bytes unchanged", func() bool {
				settings := settingsOf(t, files[2])
				return settings.Oflag&unix.OPOST == 0 && settings.Lflag&unix.EXTPROC != 0
			})
		}); err != nil {
			t.Error(err)
		}
		if after := d.settings(t); after != before {
			t.Errorf("it leaves %+v of %+v", after, before)
		}
		// Settings that somebody else has changed since are kept.
		if _, err := attempt(t, s, func(files [3]*os.File) {
			changeSettings(t, files[1], func(s *unix.Termios) { s.Lflag &^= unix.ECHO })
			become(t, "the real terminal stops echoing", func() bool { return d.settings(t).Lflag&unix.ECHO == 0 })
			d.change(t, func(s *unix.Termios) { s.Cc[unix.VINTR] = 7 })
		}); err != nil {
			t.Error(err)
		}
		if after := d.settings(t); after.Lflag&unix.ECHO != 0 || after.Cc[unix.VINTR] != 7 {
			t.Errorf("it leaves %+v", after)
		}
	})
}

// AwaitQuiet returns when no more output comes.
func TestAwaitQuiet(t *testing.T) {
	d := newDesk(t)
	s := watched(t, d)
	s.AwaitQuiet()
	if _, err := attempt(t, s, func(files [3]*os.File) {
		write(t, files[1], "text\n")
		s.AwaitQuiet()
		d.shows(t, "text\n")
	}); err != nil {
		t.Error(err)
	}
}

// Timeouts are rounded up to whole milliseconds, so that none is too short, and a negative one stays negative.
func TestMilliseconds(t *testing.T) {
	for timeout, want := range map[time.Duration]int{
		-1: -1, -time.Hour: -1, 0: 0, 1: 1, time.Millisecond: 1, time.Millisecond + 1: 2, time.Second: 1000,
	} {
		if got := milliseconds(timeout); got != want {
			t.Errorf("%v: %d, want %d", timeout, got, want)
		}
	}
}

// A pseudo-terminal replaces a terminal only if that is watched. Only if the user insists is it a must, and one that
// isn't open has nothing to close.
func TestNewTerminal(t *testing.T) {
	d := newDesk(t)
	outputs(t)
	replace(t, 2, d.real)
	for _, test := range []struct {
		mode       runner.TTY
		descriptor int
		watched    bool
		want       *terminal
	}{
		{runner.AutoTTY, 2, true, &terminal{real: 2}},
		{runner.AutoTTY, 2, false, nil},
		{runner.AutoTTY, 1, true, nil},
		{runner.AlwaysTTY, 2, true, &terminal{real: 2, wanted: true}},
		{runner.AlwaysTTY, 2, false, nil},
		{runner.AlwaysTTY, 1, false, &terminal{real: -1, wanted: true}},
		{runner.NeverTTY, 2, true, nil},
	} {
		got := newTerminal(test.mode, test.descriptor, test.watched)
		if (got != nil) != (test.want != nil) || got != nil && (got.real != test.want.real || got.wanted != test.want.wanted) {
			t.Errorf("mode %v, descriptor %d, watched: %v: got %+v", test.mode, test.descriptor, test.watched, got)
		}
		if got != nil {
			got.close()
		}
		if _, err := unix.FcntlInt(uintptr(test.descriptor), unix.F_GETFD, 0); err != nil {
			t.Fatalf("descriptor %d was closed", test.descriptor)
		}
	}
}

// opened returns an open pseudo-terminal that replaces none.
func opened(t *testing.T) *terminal {
	t.Helper()
	pseudo := &terminal{real: -1, master: -1}
	if _, err := pseudo.open(); err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(pseudo.close)
	return pseudo
}

// The master reports only a change of settings as one, and its other reports are not output.
func TestTerminalReports(t *testing.T) {
	pseudo := opened(t)
	block := make([]byte, 64)
	reads := func(when, want string, wantTold bool) {
		t.Helper()
		if data, told, _ := pseudo.read(block); string(data) != want || told != wantTold {
			t.Errorf("%s: %q, %v", when, data, told)
		}
	}
	reads("at first", "", false)
	if err := unix.IoctlSetInt(int(pseudo.slave.Fd()), unix.TCFLSH, unix.TCIOFLUSH); err != nil {
		t.Fatal(err)
	}
	reads("after a flush", "", false)
	changeSettings(t, pseudo.slave, func(s *unix.Termios) { s.Lflag ^= unix.ECHO })
	reads("after a change of settings", "", true)
	write(t, pseudo.slave, "a")
	if data, told, err := pseudo.read(nil); len(data) > 0 || told || err != nil {
		t.Errorf("without room: %q, %v, %v", data, told, err)
	}
	reads("after output", "a", false)
}

// A pseudo-terminal goes on passing bytes unchanged whatever settings the command gives it.
func TestTerminalStaysTransparent(t *testing.T) {
	for name, change := range map[string]func(s *unix.Termios){
		"output processing":    func(s *unix.Termios) { s.Oflag |= unix.OPOST },
		"input processing":     func(s *unix.Termios) { s.Lflag &^= unix.EXTPROC },
		"both":                 func(s *unix.Termios) { s.Oflag, s.Lflag = s.Oflag|unix.OPOST, s.Lflag&^unix.EXTPROC },
		"neither, but no echo": func(s *unix.Termios) { s.Lflag ^= unix.ECHO },
	} {
		pseudo := opened(t)
		changeSettings(t, pseudo.slave, change)
		new(mirror).follow(pseudo, nil)
		got := settingsOf(t, pseudo.slave)
		if got.Oflag&unix.OPOST != 0 || got.Lflag&unix.EXTPROC == 0 || got != pseudo.settings {
			t.Errorf("%s: it has %+v, %+v", name, got, pseudo.settings)
		}
	}
}

// Two pseudo-terminals that replace no real one keep settings of their own.
func TestTerminalSettingsAreNotShared(t *testing.T) {
	one, other := opened(t), opened(t)
	before := other.settings
	changeSettings(t, one.slave, func(s *unix.Termios) { s.Lflag ^= unix.ECHO })
	new(mirror).follow(one, []*relay{{terminal: one}, {terminal: other}})
	if got := settingsOf(t, other.slave); got != before {
		t.Errorf("the other has %+v of %+v", got, before)
	}
}

// The real terminal's settings are left alone while another process group has it.
func TestTerminalOfAnotherGroup(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		real := int(d.real.Fd())
		before := d.settings(t)
		d.change(t, func(s *unix.Termios) { s.Lflag ^= unix.ECHO })
		m := mirror{real: real, before: &before, set: d.settings(t)}
		if !inForeground(real) {
			t.Fatal("retry doesn't have its terminal at first")
		}
		input, hold := pair(t)
		other := exec.Command("cat")
		other.Stdin, other.SysProcAttr = input, &syscall.SysProcAttr{Setpgid: true}
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		if err := unix.IoctlSetPointerInt(real, unix.TIOCSPGRP, other.Process.Pid); err != nil {
			t.Fatal(err)
		}
		if m.restore(); inForeground(real) || d.settings(t) != m.set {
			t.Errorf("retry has the terminal: %v, and left %+v", inForeground(real), d.settings(t))
		}
		hold.Close()
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// A descriptor that is watched once is found once, each time.
func TestWatchOnce(t *testing.T) {
	reader, writer := pair(t)
	var w watcher
	if err := w.open(); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(w.epoll)
	write(t, writer, "x")
	for range 3 {
		w.once(int(reader.Fd()))
		if found := w.wait(0); !slices.Equal(found, []int{int(reader.Fd())}) {
			t.Errorf("found %v", found)
		}
		if found := w.wait(0); len(found) > 0 {
			t.Errorf("found %v again", found)
		}
	}
}
