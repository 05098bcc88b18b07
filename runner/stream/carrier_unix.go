//go:build unix

package stream

import (
	"bytes"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A carrier carries the pseudo-terminals that lead to one place. It waits for all of them at once, and writes what it has
// found before it waits again: lines that come to the two streams one after the other keep their order.
type carrier struct {
	relays  []*relay
	mirror  mirror
	keys    keyboard
	end     [2]int // a pipe, through which comes a byte when the command has ended
	watcher watcher
	order   order
	more    bool         // there is more to take than was taken
	drains  bool         // the command has ended, and all that is there is to be taken
	carried atomic.Int64 // how often something has come

	finished chan struct{} // closed when nothing of an attempt is carried any more
}

// newCarriers makes a carrier for each place.
func newCarriers(relays []*relay) (all []*carrier, err error) {
	for _, r := range relays {
		if r.terminal == nil {
			continue
		}
		if len(all) > 0 && sameFile(1, 2) {
			all[0].relays = append(all[0].relays, r)
			all[0].order.open(&all[0].watcher)
			continue
		}
		c := &carrier{relays: []*relay{r}}
		if err = unix.Pipe(c.end[:]); err != nil {
			return nil, err
		}
		for _, descriptor := range c.end {
			unix.CloseOnExec(descriptor)
			_ = unix.SetNonblock(descriptor, true)
		}
		if err = c.watcher.open(); err != nil {
			return nil, err
		}
		c.watcher.add(c.end[0])
		all = append(all, c)
	}
	return all, nil
}

// sameFile reports whether two descriptors are of the same file.
func sameFile(a, b int) bool {
	var one, other unix.Stat_t
	return unix.Fstat(a, &one) == nil && unix.Fstat(b, &other) == nil && isSame(&one, &other)
}

// isSame compares what fstat(2) says of two files. OpenBSD and NetBSD give all pipes the number 0; those count as different.
func isSame(one, other *unix.Stat_t) bool {
	return one.Ino != 0 && one.Dev == other.Dev && one.Ino == other.Ino
}

// prepare has the terminals of an attempt watched before the command starts. It reports whether there are any: a system
// that has had one for an attempt may have none left for the next, which gets a pipe.
func (c *carrier) prepare() bool {
	c.relays = slices.DeleteFunc(c.relays, func(r *relay) bool { return r.terminal == nil })
	c.hasEnded() // an earlier attempt, whose streams broke before
	c.finished = make(chan struct{})
	for _, r := range c.relays {
		r.unpassed = nil
		c.watcher.add(r.terminal.master)
		if len(c.relays) > 1 {
			c.order.add(r.terminal)
		}
	}
	return len(c.relays) > 0
}

// abandon stops watching the terminals of an attempt that won't run. They are about to be closed, and poll(2), unlike epoll,
// would go on looking at whatever gets their numbers next.
func (c *carrier) abandon() {
	for _, r := range c.relays {
		c.watcher.remove(r.terminal.master)
	}
}

// settle waits for run to return, which it does soon after the terminals have come to their ends.
func (c *carrier) settle() { <-c.finished }

// hurry bounds the time that the terminals may stay open.
func (c *carrier) hurry() { _, _ = unix.Write(c.end[1], []byte{0}) }

// hasEnded reports whether the command has ended, once.
func (c *carrier) hasEnded() bool {
	n, _ := unix.Read(c.end[0], make([]byte, 1))
	return n > 0
}

// run carries the terminals to their ends.
func (c *carrier) run() {
	defer close(c.finished)
	open := map[int]*relay{} // by their masters
	for _, r := range c.relays {
		if open[r.terminal.master] = r; !r.begin() {
			c.leave(r, open)
		}
	}
	c.keys.open(c.relays[0].terminal)
	var over time.Time // the last moment for what the command has left, once it has ended itself
	for len(open) > 0 {
		found, ended := c.wait(over, open)
		c.carry(found, open)
		switch {
		case ended: // what it had written has been carried; if nothing else has its side, the end comes next
			over = time.Now().Add(Lingering)
			for _, r := range open {
				r.terminal.release()
			}
			c.mirror.restore()
		case !over.IsZero() && !time.Now().Before(over):
			for _, r := range open {
				c.leave(r, open)
			}
		}
	}
	c.mirror.restore()
}

// wait waits until something comes, or the time is over, and tells from which masters to take in which order. ended is
// true if the command has ended.
func (c *carrier) wait(over time.Time, open map[int]*relay) (found []int, ended bool) {
	timeout := time.Duration(-1)
	switch {
	case c.more:
		timeout = 0
	case !over.IsZero():
		timeout = max(0, time.Until(over))
	}
	timeout = c.keys.watch(&c.watcher, timeout)
	found = c.watcher.wait(timeout)
	c.keys.serve(found, c.relays)
	ended = slices.Contains(found, c.end[0]) && c.hasEnded()
	if len(open) > 1 {
		found = c.turns(found, open)
	}
	c.drains = ended || !over.IsZero()
	if c.more || c.drains {
		for _, r := range c.relays {
			found = append(found, r.terminal.master)
		}
	}
	return found, ended
}

// turns puts the turns in which the terminals were written to in front of those that were found ready. What has come is
// read before, so that the turns that it came in are among them.
func (c *carrier) turns(found []int, open map[int]*relay) []int {
	var expected []int
	for _, r := range c.relays {
		master := r.terminal.master
		if open[master] == nil {
			continue
		}
		before := len(r.unpassed)
		for state := much; state == much && len(r.unpassed) == 0; {
			state = c.fill(r)
		}
		if before == 0 && 0 < len(r.unpassed) && len(r.unpassed) < flood {
			expected = append(expected, master)
		}
		if len(r.unpassed) > 0 {
			found = append(found, master)
		}
	}
	turns := c.order.turns(expected)
	for _, master := range found {
		if !slices.Contains(turns, master) {
			turns = append(turns, master)
		}
	}
	return turns
}

// carry passes on what there is. A terminal that stands several times among those found took turns with another one: it
// is given a line in each turn, and the rest in the last.
func (c *carrier) carry(found []int, open map[int]*relay) {
	c.more = false
	for i, master := range found {
		r := open[master]
		if r == nil {
			continue
		}
		took := c.take(r, slices.Contains(found[i+1:], master), open)
		for left := pipeCapacity; took == much && left > 0; left -= flood {
			took = c.take(r, false, open)
		}
		c.more = c.more || took == much
		if took == broken {
			c.leave(r, open)
		}
	}
}

// What a read of a terminal can find.
const (
	little = iota // or nothing
	much          // there may be more
	broken        // no more will come
)

// flood is how much makes it worth to take more at once. What came after a little came perhaps after what another
// terminal has, and waits for its turn.
const flood = 2 << 10

// take passes on what is there now, or a line of it.
func (c *carrier) take(r *relay, line bool, open map[int]*relay) int {
	if len(r.unpassed) == 0 {
		if state := c.fill(r); len(r.unpassed) == 0 {
			return state
		}
		// Of what comes only now, more turns may not have been told of yet.
		line = line || len(open) > 1 && len(r.unpassed) < flood && !c.drains
		defer func() { c.more = c.more || len(r.unpassed) > 0 }()
	}
	now := r.unpassed
	if end := bytes.IndexByte(now, '\n') + 1; line && end > 0 {
		now = now[:end]
	}
	r.unpassed = r.unpassed[len(now):]
	if !r.pass(now) {
		return broken
	}
	if !line && (len(now) >= flood || c.drains) {
		return much
	}
	return little
}

// fill reads what is there now.
func (c *carrier) fill(r *relay) int {
	data, told, err := r.terminal.read(r.block)
	switch {
	case told:
		c.mirror.follow(r.terminal, c.relays)
		return much
	case len(data) > 0:
		c.carried.Add(1)
		r.unpassed = data
		return much
	case err == unix.EAGAIN || err == unix.EINTR:
		return little
	}
	return broken // Linux has it be an error that nobody has the other side any more
}

// leave is done with a terminal.
func (c *carrier) leave(r *relay, open map[int]*relay) {
	r.end()
	delete(open, r.terminal.master)
	c.watcher.remove(r.terminal.master)
	r.terminal.close()
	close(r.done)
}

// milliseconds rounds up. A time below 0 is without end.
func milliseconds(timeout time.Duration) int {
	if timeout < 0 {
		return -1
	}
	return int((timeout + time.Millisecond - 1) / time.Millisecond)
}

// AwaitQuiet waits until what the command has written to its terminals has been passed on, but not for long: nobody can
// tell that no process of it is about to write more.
func (s *Streams) AwaitQuiet() {
	const most, quiet = time.Second, 20 * time.Millisecond
	for began, before := time.Now(), int64(-1); time.Since(began) < most; time.Sleep(quiet) {
		now := int64(0)
		for _, c := range s.carriers {
			now += c.carried.Load()
		}
		if now == before {
			return
		}
		before = now
	}
}
