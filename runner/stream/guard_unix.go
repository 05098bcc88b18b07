//go:build unix

package stream

import (
	"bytes"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner/console"
)

// guard finds out whether an attempt has read anything from a pipe or a socket on standard input, because that can't be
// given to the next attempt. Relaying the input instead would consume more of it than the command does, and the rest
// belongs to whoever reads next.
type guard struct {
	socket bool
	begun  bool
	watch  watch    // of every read, where the system reports them
	before evidence // gathered when the attempt began
}

// begin examines the input before an attempt.
func (g *guard) begin() {
	g.before = g.look()
	// Without a writer the input can only get shorter, which look notices, and where reads are counted they need no watch.
	if !g.begun && g.before.open && !g.before.counted {
		g.begun = true
		g.watch.begin()
	}
}

// spent returns whether the input has been read since the last call of begin.
func (g *guard) spent() policy.Spent {
	if g.watch.seen() {
		return policy.Consumed
	}
	found := g.before.compare(g.look())
	if found == policy.PerhapsConsumed && g.watch.complete(g.socket) {
		return policy.Unspent
	}
	return found
}

// headSize is how many of the queued bytes are compared.
const headSize = 4 << 10

// evidence is what can be learned about an input without reading from it.
type evidence struct {
	counted bool          // the system counts the bytes that have been read
	taken   uint64        // their number, if counted
	queued  int           // bytes that can be read now
	head    []byte        // the first of them, if they can be seen
	open    bool          // somebody may write more
	read    unix.Timespec // the access time, which some systems don't update
}

// look gathers the evidence.
func (g *guard) look() (e evidence) {
	if g.socket {
		if e.taken, e.counted = takenFromTCP(); e.counted {
			return e
		}
	}
	var readable bool
	e.queued, readable, e.open = queued(console.Poll, 0)
	if g.socket {
		e.head = peekSocket()
		// A socket is also readable at the end of its stream.
		e.open = e.open && (!readable || len(e.head) > 0)
	} else if !g.watch.complete(false) {
		e.head = peekPipe(e.queued)
	}
	var info unix.Stat_t
	if !g.socket && unix.Fstat(0, &info) == nil {
		e.read = info.Atim
	}
	return e
}

// queued returns how many bytes can be read from a descriptor, whether poll(2) calls it readable, and whether somebody
// may write more. Some systems call a pipe readable at its end, so only the number tells whether there is any data.
func queued(poll poller, descriptor int) (bytes int, readable, open bool) {
	at := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLIN}}
	poll(at, 0)
	bytes, _ = unix.IoctlGetInt(descriptor, fionread)
	return bytes, at[0].Revents&unix.POLLIN != 0, at[0].Revents&(unix.POLLHUP|unix.POLLERR) == 0
}

// peekSocket returns the first of the bytes queued in the socket on standard input, without consuming them.
func peekSocket() []byte {
	head := make([]byte, headSize)
	n, _, err := unix.Recvfrom(0, head, unix.MSG_PEEK|unix.MSG_DONTWAIT)
	if err != nil {
		return nil
	}
	return head[:n]
}

// compare draws the conclusion from the evidence before and after an attempt.
func (before evidence) compare(after evidence) policy.Spent {
	seen := min(len(before.head), len(after.head))
	switch {
	case before.counted:
		if after.taken != before.taken {
			return policy.Consumed
		}
		return policy.Unspent
	case after.queued < before.queued, !bytes.Equal(before.head[:seen], after.head[:seen]):
		return policy.Consumed
	case !before.open:
		return policy.Unspent // nothing can have been added
	case after.open && after.read != before.read:
		return policy.Consumed
	case before.queued == 0 && (after.queued > 0 || !after.open), repeats(before.head):
		return policy.PerhapsConsumed // more may have been written and read
	}
	return policy.Unspent
}

// repeats reports whether head consists of one piece over and over, so that it looks the same after some pieces have
// been read and others have been written.
func repeats(head []byte) bool {
	return len(head) > 0 && bytes.Contains(head[1:], head[:(len(head)+1)/2])
}
