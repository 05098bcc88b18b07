package stream

import (
	"slices"
	"strings"
	"testing"
	"time"

	"retry/runner"
)

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
	if c.order.inotify == 0 {
		t.Skip("this user can have no more watches, so that there is no order to know")
	}
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
}

// A turn of which the kernel tells late is not taken for another one.
func TestOrderIsToldLate(t *testing.T) {
	c, _, writes, _ := aCarrier(t)
	first, second := c.relays[0].terminal.master, c.relays[1].terminal.master
	turns := func(when string, read []int, want ...int) {
		t.Helper()
		if got := c.order.covers(read, nil); !slices.Equal(got, want) {
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
