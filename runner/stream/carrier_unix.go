//go:build unix

package stream

import (
	"bytes"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A carrier copies the output of the pseudo-terminals that share one destination. It waits for all of them at once and
// writes out what it has read before it waits again, so that lines written to the two streams in turn keep their order.
type carrier struct {
	relays  []*relay
	mirror  mirror
	keys    keyboard
	end     [2]int // a pipe; hurry writes a byte to it when the command has ended
	watcher watcher
	order   order
	more    bool         // there may be more to read, or some of what was read waits for its turn
	drains  bool         // the command has ended: take everything that is available
	carried atomic.Int64 // the number of reads that returned output
	busy    atomic.Bool  // it may have read output that it has not passed on yet

	finished chan struct{} // closed when run returns
}

// newCarriers returns a carrier for each destination: only one if standard output and standard error are the same file.
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

// sameFile reports whether two descriptors refer to the same file.
func sameFile(a, b int) bool {
	var one, other unix.Stat_t
	return unix.Fstat(a, &one) == nil && unix.Fstat(b, &other) == nil && isSame(&one, &other)
}

// isSame compares two results of fstat(2). OpenBSD and NetBSD give every pipe the inode number 0; such files count as
// different.
func isSame(one, other *unix.Stat_t) bool {
	return one.Ino != 0 && one.Dev == other.Dev && one.Ino == other.Ino
}

// prepare starts to watch the terminals of an attempt, before the command starts. It reports whether there are any: an
// attempt gets pipes when the system has no pseudo-terminal left, even if an earlier attempt had terminals.
func (c *carrier) prepare() bool {
	c.relays = slices.DeleteFunc(c.relays, func(r *relay) bool { return r.terminal == nil })
	c.hasEnded() // drop the byte that run left in the pipe if the streams of an earlier attempt broke
	c.finished = make(chan struct{})
	for _, r := range c.relays {
		r.unpassed, r.ahead = nil, false
		c.watcher.add(r.terminal.master)
		if len(c.relays) > 1 {
			c.order.add(r.terminal)
		}
	}
	return len(c.relays) > 0
}

// abandon stops watching the terminals of an attempt that is not going to run, before they are closed. Unlike epoll,
// poll(2) would go on watching whatever file gets their descriptors next.
func (c *carrier) abandon() {
	for _, r := range c.relays {
		if r.terminal != nil { // the system may have had none left for this attempt
			c.watcher.remove(r.terminal.master)
		}
	}
}

// settle waits for run to return, which it does soon after the last terminal has been closed.
func (c *carrier) settle() { <-c.finished }

// hurry tells run that the command has ended, which bounds how long the terminals may stay open.
func (c *carrier) hurry() { _, _ = unix.Write(c.end[1], []byte{0}) }

// hasEnded reports whether the command has ended. It returns true only once.
func (c *carrier) hasEnded() bool {
	n, _ := unix.Read(c.end[0], make([]byte, 1))
	return n > 0
}

// run copies the output of each terminal to its end.
func (c *carrier) run() {
	defer close(c.finished)
	defer c.busy.Store(false)
	open := map[int]*relay{} // by master
	for _, r := range c.relays {
		if open[r.terminal.master] = r; !r.begin() {
			c.leave(r, open)
		}
	}
	c.keys.open(c.relays[0].terminal)
	var over time.Time // when to stop waiting for background processes; zero while the command runs
	for len(open) > 0 {
		found, ended := c.wait(over, open)
		c.carry(found, open)
		switch {
		case ended: // its output has been carried; unless another process has the slave open, the end comes next
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

// wait waits until there is something to read or over has passed, and returns the masters to read in the order in which
// the command wrote to them. ended reports whether the command has ended.
func (c *carrier) wait(over time.Time, open map[int]*relay) (found []int, ended bool) {
	timeout := time.Duration(-1)
	switch {
	case c.more:
		timeout = 0
	case !over.IsZero():
		timeout = max(0, time.Until(over))
	}
	timeout = c.keys.watch(&c.watcher, timeout)
	c.busy.Store(false)
	found = c.watcher.wait(timeout)
	c.busy.Store(true)
	c.keys.serve(found, c.relays)
	ended = slices.Contains(found, c.end[0]) && c.hasEnded()
	if len(open) > 1 {
		found = c.turns(found, open)
	} else {
		c.order.next(nil) // reports that nobody reads would wake the watcher for ever
	}
	c.drains = ended || !over.IsZero()
	if c.more || c.drains {
		for _, r := range c.relays {
			if master := r.terminal.master; !slices.Contains(found, master) { // twice would mean two turns
				found = append(found, master)
			}
		}
	}
	return found, ended
}

// turns returns the masters in the order in which their terminals were written to, followed by the others that were
// found ready. It alternates between reading what is available and what has been reported of it, until there is no more
// of either: only then does the order cover all that has been read, and all that it covers has been read.
func (c *carrier) turns(found []int, open map[int]*relay) (turns []int) {
	for {
		before := len(turns)
		read, waiting := c.gather(open)
		turns = c.order.next(turns)
		if !c.order.await(waiting, turns) && !read && len(turns) == before {
			break
		}
	}
	for _, r := range c.relays {
		if len(r.unpassed) > 0 {
			found = append(found, r.terminal.master)
		}
	}
	for _, master := range found {
		if !slices.Contains(turns, master) {
			turns = append(turns, master)
		}
	}
	return turns
}

// gather reads once from each terminal of which little has been read, and reports whether there was anything. waiting
// are the masters that have little to pass on, of which the reports are to come.
func (c *carrier) gather(open map[int]*relay) (read bool, waiting []int) {
	for _, r := range c.relays {
		if open[r.terminal.master] == nil || len(r.unpassed) >= flood {
			continue
		}
		read = c.fill(r) == much || read
		r.ahead = r.ahead && len(r.unpassed) > 0
		if len(r.unpassed) > 0 && len(r.unpassed) < flood && !r.ahead {
			waiting = append(waiting, r.terminal.master)
		}
	}
	return read, waiting
}

// carry passes on what is available. A master that was found several times took turns with another one: it is given one
// line in each turn, and the rest in the last.
func (c *carrier) carry(found []int, open map[int]*relay) {
	c.more = false
	for i, master := range found {
		r := open[master]
		if r == nil {
			continue
		}
		took := c.take(r, slices.Contains(found[i+1:], master), open)
		for left := pipeCapacity; took == much && left > 0; left -= flood {
			r.ahead = true
			took = c.take(r, false, open)
		}
		c.more = c.more || took == much
		if took == broken {
			c.leave(r, open)
		}
	}
}

// The results of reading a terminal.
const (
	little = iota // less than flood, or nothing
	much          // there may be more
	broken        // no more will come
)

// flood is how many bytes make it worthwhile to read again at once. After less than that, what comes next may be later
// than the output of another terminal, so it waits for its turn.
const flood = 2 << 10

// take passes on what is available, or one line of it.
func (c *carrier) take(r *relay, line bool, open map[int]*relay) int {
	if len(r.unpassed) == 0 {
		if state := c.fill(r); len(r.unpassed) == 0 {
			return state
		}
		if len(open) > 1 && len(r.unpassed) < flood && !c.drains {
			c.more = true // it came after the turns were determined, and waits for its own
			return little
		}
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

// fill reads what is available and appends it to r.unpassed.
func (c *carrier) fill(r *relay) int {
	r.unpassed = r.block[:copy(r.block, r.unpassed)]
	data, told, err := r.terminal.read(r.block[len(r.unpassed):])
	switch {
	case told:
		c.mirror.follow(r.terminal, c.relays)
		return much
	case len(data) > 0:
		c.carried.Add(1)
		r.unpassed = append(r.unpassed, data...) // within the block
		return much
	case err == unix.EAGAIN || err == unix.EINTR:
		return little
	}
	return broken // on Linux, EIO says that nobody has the slave open any more
}

// leave stops carrying a terminal and closes it.
func (c *carrier) leave(r *relay, open map[int]*relay) {
	r.end()
	delete(open, r.terminal.master)
	c.watcher.remove(r.terminal.master)
	r.terminal.close()
	close(r.done)
}

// milliseconds rounds a timeout up to whole milliseconds for poll(2). A negative one stands for none and becomes -1.
func milliseconds(timeout time.Duration) int {
	if timeout < 0 {
		return -1
	}
	return int((timeout + time.Millisecond - 1) / time.Millisecond)
}

// AwaitQuiet waits until the command's terminals have been quiet for 20 ms, but for a second at most. Whether one of
// its processes is about to write more can't be known.
func (s *Streams) AwaitQuiet() {
	const most, quiet = time.Second, 20 * time.Millisecond
	for began, before := time.Now(), int64(-1); time.Since(began) < most; time.Sleep(quiet) {
		now, pending := int64(0), false
		for _, c := range s.carriers {
			now += c.carried.Load()
			// On a busy machine the carrier may not have run yet.
			pending = pending || c.watcher.pending() || c.busy.Load() // in this order
		}
		if now == before && !pending {
			return
		}
		before = now
	}
}
