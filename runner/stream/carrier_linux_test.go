package stream

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/runner"
)

// needOrder skips a test if this user can have no more watches, so that there is no order to know.
func needOrder(t *testing.T, c *carrier) {
	t.Helper()
	if c.order.inotify != 0 {
		return
	}
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		t.Skipf("inotify: %v", err)
	}
	unix.Close(descriptor)
	t.Fatal("the carrier has no watch, but could have one")
}

// aCarrier carries two terminals to one place. It doesn't run: a test takes its steps.
func aCarrier(t *testing.T) (c *carrier, open map[int]*relay, writes func(stream int, text string), screen *screen) {
	t.Helper()
	screen = outputs(t)
	replace(t, 2, screen.files[0])
	s := testStreams(t, func(j *runner.Job) { j.TTY = runner.AlwaysTTY })
	files, _, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Abandon)
	if len(s.carriers) != 1 || len(s.carriers[0].relays) != 2 {
		t.Fatalf("there are the carriers %v", s.carriers)
	}
	c, open = s.carriers[0], map[int]*relay{}
	needOrder(t, c)
	for _, r := range c.relays {
		open[r.terminal.master] = r
	}
	return c, open, func(stream int, text string) { write(t, files[stream], text) }, screen
}

// What arrives only as it is taken waits for the next turn, since the other terminal may have been written to before. It
// doesn't if that is closed, the command has ended, or there is very much.
func TestCarrierTakesLittle(t *testing.T) {
	flooded := strings.Repeat("0123456789abcde\n", flood/16)
	for _, test := range []struct {
		name         string
		text         string
		alone, ended bool
		want         string
		state        int
		more         bool
	}{
		{"two lines", "a\nb\n", false, false, "", little, true},
		{"nothing", "", false, false, "", little, false},
		{"two lines, alone", "a\nb\n", true, false, "a\nb\n", little, false},
		{"two lines, at the end", "a\nb\n", false, true, "a\nb\n", much, false},
		{"a flood", flooded, false, false, flooded, much, false},
		{"nearly a flood", flooded[1:], false, false, "", little, true},
		{"nearly a flood, alone", flooded[1:], true, false, flooded[1:], little, false},
	} {
		c, open, writes, screen := aCarrier(t)
		r := c.relays[0]
		if c.drains = test.ended; test.alone {
			delete(open, c.relays[1].terminal.master)
		}
		writes(1, test.text)
		if state := c.take(r, false, open); state != test.state || c.more != test.more {
			t.Errorf("%s: state %d, more %v", test.name, state, c.more)
		}
		screen.shows(t, test.name, test.want, "")
		if test.more {
			c.take(r, false, open)
			screen.shows(t, test.name+", the rest", test.text[len(test.want):], "")
		}
	}
}

// A terminal that has something has a turn, until all of that is passed on; a closed one has none.
func TestCarrierTurns(t *testing.T) {
	c, open, writes, screen := aCarrier(t)
	first, second := c.relays[0].terminal.master, c.relays[1].terminal.master
	turns := func(when string, want ...int) {
		t.Helper()
		if got := c.turns(nil, open); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	turns("at first")
	writes(2, "a\nb\n")
	writes(1, "c\n")
	turns("in the order of the writes", second, first)
	turns("what was not passed on", first, second)
	c.carry([]int{second, first, second}, open)
	screen.shows(t, "a line in each turn, and the rest in the last", "a\nc\nb\n", "")
	turns("all was passed on")
	if c.more {
		t.Error("there is more")
	}
	writes(1, "d\n")
	writes(2, "e\n")
	delete(open, first)
	if got := c.turns(nil, open); !slices.Contains(got, second) || len(c.relays[0].unpassed) > 0 {
		t.Errorf("with the first closed: %v, and %q was read", got, c.relays[0].unpassed)
	}
	c.carry([]int{first, second}, open)
	screen.shows(t, "of the open one", "e\n", "")
}

// Once the command has ended, everything is taken, whatever was found; and where there was more, it is taken next time.
func TestCarrierWaits(t *testing.T) {
	c, open, writes, screen := aCarrier(t)
	step := func() (ended bool) {
		found, ended := c.wait(time.Time{}, open)
		c.carry(found, open)
		return ended
	}
	writes(1, "a\nb\nc\n")
	for step(); c.more; step() {
	}
	screen.shows(t, "what comes", "a\nb\nc\n", "")
	c.relays[1].unpassed, c.more = []byte("left\n"), true
	if step() {
		t.Error("the command has ended")
	}
	screen.shows(t, "what was left", "left\n", "")
	c.hurry()
	writes(2, "d\ne\n")
	if !step() {
		t.Error("the command has not ended")
	}
	screen.shows(t, "at the end", "d\ne\n", "")
	if c.hasEnded() {
		t.Error("the command has ended twice")
	}
	both := []int{c.relays[0].terminal.master, c.relays[1].terminal.master}
	if found, _ := c.wait(time.Now(), open); !slices.Equal(found, both) {
		t.Errorf("after the end it reads %v of %v", found, both)
	}
	c.hurry()
	if found, ended := c.wait(time.Time{}, open); !ended || !slices.Contains(found, both[0]) || !slices.Contains(found, both[1]) {
		t.Errorf("at the end it reads %v of %v", found, both)
	}
}

// A turn of which the kernel tells late is not taken for another one.
func TestOrderIsToldLate(t *testing.T) {
	c, _, writes, _ := aCarrier(t)
	first, second := c.relays[0].terminal.master, c.relays[1].terminal.master
	turns := func(when string, read []int, want ...int) {
		t.Helper()
		for _, r := range c.relays {
			for c.fill(r) == much {
			}
			r.unpassed = nil
		}
		got := c.order.next(nil)
		for c.order.await(read, got) {
			got = c.order.next(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	turns("nothing", nil)
	turns("one was read that is told of later", []int{first})
	writes(1, "a\n")
	turns("which is that one", nil)
	writes(1, "b\n")
	turns("and this another", nil, first)
	turns("two were read that are told of later", []int{first, second})
	writes(2, "c\n")
	writes(1, "d\n")
	writes(2, "e\n")
	turns("and then a third", nil, second)
	writes(1, "f\n")
	turns("one of two", []int{first, second}, first)
	writes(2, "g\n")
	writes(1, "h\n")
	turns("the other", []int{first}, first)
}

// forget ends the watch of a terminal, so that inotify doesn't report what is written there.
func forget(t *testing.T, c *carrier, r *relay) {
	t.Helper()
	for watch, master := range c.order.masters {
		if master == r.terminal.master {
			if _, err := unix.InotifyRmWatch(c.order.inotify, uint32(watch)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Before the turns are known, all that is there has been read: also what follows a change of settings, and what inotify
// doesn't report.
func TestCarrierReadsBeforeTurns(t *testing.T) {
	for _, test := range []struct {
		name    string
		writes  string // the streams that are written to, in order
		forgets string // the streams that inotify doesn't report
		want    string // the streams whose lines are passed on, in order
	}{
		{"one", "1", "", "1"}, {"one that is not reported", "1", "1", "1"}, {"two", "21", "", "21"},
		{"two, the other way round", "12", "", "12"}, {"two, the second not reported", "21", "2", "12"},
		{"two, none reported", "21", "12", "12"},
	} {
		c, open, writes, screen := aCarrier(t)
		for _, stream := range test.forgets {
			forget(t, c, c.relays[stream-'1'])
		}
		changeSettings(t, c.relays[0].terminal.slave, func(s *unix.Termios) { s.Lflag ^= unix.ECHO })
		for _, stream := range test.writes {
			writes(int(stream-'0'), string(stream)+"\n")
		}
		c.carry(c.turns(nil, open), open)
		if c.more {
			t.Errorf("%s: there is more", test.name)
		}
		screen.shows(t, test.name, strings.Join(strings.Split(test.want, ""), "\n")+"\n", "")
	}
}

// The turns of a terminal matter only while it has little to pass on, and it isn't read any further once it has much.
func TestCarrierGathers(t *testing.T) {
	flooded := strings.Repeat("0123456789abcde\n", flood/16)
	for _, test := range []struct {
		text    string
		waiting bool
		holds   int // after a few more bytes
	}{{"", false, 4}, {flooded[1:], true, flood + 3}, {flooded, false, flood}} {
		c, open, writes, _ := aCarrier(t)
		r := c.relays[0]
		writes(1, test.text)
		read, waiting := c.gather(open)
		if read != (test.text != "") || len(r.unpassed) != len(test.text) || slices.Contains(waiting, r.terminal.master) != test.waiting {
			t.Errorf("of %d bytes it read %d, %v, and %v wait", len(test.text), len(r.unpassed), read, waiting)
		}
		writes(1, "more")
		if c.gather(open); len(r.unpassed) != test.holds {
			t.Errorf("after %d bytes and 4 more it holds %d", len(test.text), len(r.unpassed))
		}
	}
}

// flooding writes everything that it gets to the terminal again, like a process that never stops printing, and counts
// how often.
type flooding struct {
	t      *testing.T
	relay  *relay
	writes func(stream int, text string)
	times  int
}

func (f *flooding) Write(block []byte) (int, error) {
	f.times++
	f.writes(1, string(block))
	become(f.t, "it can be read", func() bool {
		n, err := unix.IoctlGetInt(f.relay.terminal.master, fionread)
		return err == nil && n >= len(block)
	})
	return len(block), nil
}

// A terminal that is never empty is left, after as much as a pipe holds, for the others to have their turn.
func TestCarrierLeavesFlood(t *testing.T) {
	c, open, writes, _ := aCarrier(t)
	endless := &flooding{t: t, relay: c.relays[0], writes: writes}
	c.relays[0].sink = endless
	writes(1, strings.Repeat("0123456789abcde\n", flood/16))
	c.carry([]int{c.relays[0].terminal.master, c.relays[1].terminal.master}, open)
	if want := 1 + pipeCapacity/flood; endless.times != want || !c.more {
		t.Errorf("it was read %d times, want %d; more: %v", endless.times, want, c.more)
	}
}

// A line that has no end yet is passed on in its turn.
func TestCarrierPassesUnfinishedLine(t *testing.T) {
	c, open, writes, screen := aCarrier(t)
	first, second := c.relays[0].terminal.master, c.relays[1].terminal.master
	writes(1, "unfinished ")
	writes(2, "line\n")
	c.turns(nil, open)
	c.carry([]int{first, second, first}, open)
	screen.shows(t, "an unfinished line", "unfinished line\n", "")
}

// A terminal that no process has open any more has ended.
func TestCarrierFindsEnd(t *testing.T) {
	relays := []*relay{{terminal: &terminal{real: -1, master: -1}, block: make([]byte, relayBlock)}}
	slave, err := relays[0].terminal.open()
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	defer relays[0].terminal.close()
	c := &carrier{relays: relays}
	write(t, slave, "text\n")
	for _, want := range []int{much, little} {
		if got := c.fill(relays[0]); got != want {
			t.Errorf("state %d, want %d", got, want)
		}
	}
	relays[0].terminal.release()
	if got := c.fill(relays[0]); got != broken {
		t.Errorf("state %d at the end", got)
	}
}

// A carrier reads what is reported of a terminal even if it is the only one. Otherwise the report would wake it for ever.
func TestCarrierSleeps(t *testing.T) {
	c, open, writes, screen := aCarrier(t)
	c.leave(c.relays[0], open)
	writes(2, "a\n")
	for c.carried.Load() == 0 {
		found, _ := c.wait(time.Time{}, open)
		c.carry(found, open)
	}
	screen.shows(t, "alone", "a\n", "")
	if found := c.watcher.wait(0); len(found) > 0 {
		t.Errorf("%v keep it awake; inotify is %d", found, c.order.inotify)
	}
}
