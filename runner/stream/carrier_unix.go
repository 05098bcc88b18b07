//go:build unix

package stream

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A carrier carries the pseudo-terminals that lead to one place. It looks at all of them at once, and writes what one
// look has found before it looks again: lines that come to the two streams one after the other keep their order.
type carrier struct {
	relays  []*relay
	mirror  mirror
	end     [2]int // a pipe, through which comes a byte when the command has ended
	ready   []unix.PollFd
	carried atomic.Int64 // how often something has come
}

// newCarriers makes a carrier for each place.
func newCarriers(relays []*relay) (all []*carrier, err error) {
	for _, r := range relays {
		if r.terminal == nil {
			continue
		}
		if len(all) > 0 && sameFile(1, 2) {
			all[0].relays = append(all[0].relays, r)
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
		all = append(all, c)
	}
	return all, nil
}

// sameFile reports whether two descriptors are of the same file.
func sameFile(a, b int) bool {
	var one, other unix.Stat_t
	return unix.Fstat(a, &one) == nil && unix.Fstat(b, &other) == nil && one.Dev == other.Dev && one.Ino == other.Ino
}

// start carries the terminals of one attempt.
func (c *carrier) start() {
	c.hasEnded() // an earlier attempt, whose streams broke before
	go c.run()
}

// hurry bounds the time that the terminals may stay open.
func (c *carrier) hurry() { _, _ = unix.Write(c.end[1], []byte{0}) }

// hasEnded reports whether the command has ended, once.
func (c *carrier) hasEnded() bool {
	n, _ := unix.Read(c.end[0], make([]byte, 1))
	return n > 0
}

// run carries the terminals to their ends.
func (c *carrier) run() {
	var open []*relay
	for _, r := range c.relays {
		if r.begin() {
			open = append(open, r)
		} else {
			c.leave(r)
		}
	}
	var over time.Time // the last moment for what the command has left, once it has ended itself
	for len(open) > 0 {
		ended := c.wait(open, over)
		if ended {
			over = time.Now().Add(Lingering)
		}
		late := !over.IsZero() && !time.Now().Before(over)
		rest := open[:0]
		for i, r := range open {
			// What the look has not found came later than what it has, and has to wait for the next one.
			if c.ready[i+1].Revents == 0 && !ended && !late || !c.carry(r, ended, late) {
				rest = append(rest, r)
			}
		}
		open = rest
		if ended || len(open) == 0 {
			c.mirror.restore()
		}
	}
}

// carry passes on what a look has found on one terminal. After the end of the command it takes all there is, and closes
// retry's own copy of the command's side: if nothing else has one, the next look finds the end. It reports whether that
// has come.
func (c *carrier) carry(r *relay, ended, late bool) (over bool) {
	took := c.take(r)
	for left := pipeCapacity; (ended || late) && took == something && left > 0; left -= relayBlock {
		took = c.take(r)
	}
	if ended {
		r.terminal.release()
	}
	if took != broken && late {
		r.end()
		took = broken
	}
	if took == broken {
		c.leave(r)
	}
	return took == broken
}

// What a read of a terminal can find.
const (
	nothing = iota
	something
	broken // no more will come
)

// take passes on what is there now.
func (c *carrier) take(r *relay) int {
	data, told, err := r.terminal.read(r.block)
	switch {
	case told:
		c.mirror.follow(r.terminal, c.relays)
		return something
	case len(data) > 0:
		c.carried.Add(1)
		if !r.pass(data) {
			return broken
		}
		return something
	case err == unix.EAGAIN || err == unix.EINTR:
		return nothing
	}
	r.end() // Linux has it be an error that nobody has the other side any more
	return broken
}

// leave is done with a terminal.
func (c *carrier) leave(r *relay) {
	r.terminal.close()
	close(r.done)
}

// wait looks at the terminals until there is something to do. It reports whether the command has ended since the last
// look.
func (c *carrier) wait(open []*relay, over time.Time) (ended bool) {
	c.ready = append(c.ready[:0], unix.PollFd{Fd: int32(c.end[0]), Events: unix.POLLIN})
	for _, r := range open {
		c.ready = append(c.ready, unix.PollFd{Fd: int32(r.terminal.master), Events: unix.POLLIN})
	}
	timeout := time.Duration(-1)
	if !over.IsZero() {
		timeout = max(0, time.Until(over))
	}
	look(c.ready, timeout)
	return c.ready[0].Revents != 0 && c.hasEnded()
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
