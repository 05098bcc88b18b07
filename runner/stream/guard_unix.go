//go:build unix

package stream

import (
	"bytes"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner/console"
)

// guard finds out whether an attempt has taken anything from a pipe or a socket: that can't be given again. It can't put
// itself between, because a command takes as much as it likes, and the rest belongs to whoever reads next.
type guard struct {
	socket bool
	begun  bool
	watch  watch    // tells of every read, where the system does
	before evidence // from the beginning of the attempt
}

// begin looks at the input before an attempt.
func (g *guard) begin() {
	g.before = g.look()
	// What nobody writes to any more gets shorter only by being read, and needs no watch.
	if !g.begun && g.before.open && !g.before.counted {
		g.begun = true
		g.watch.begin()
	}
}

// spent says what has become of the input since the last begin.
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

// headSize is how much of what is queued is compared.
const headSize = 4 << 10

// evidence is what can be seen of an input without taking anything from it.
type evidence struct {
	counted bool          // the system counts what has been taken
	taken   uint64        // and this is how many bytes that are
	queued  int           // bytes that can be read now
	head    []byte        // the first of them, where they can be seen
	open    bool          // somebody may write more
	read    unix.Timespec // when it was last read, or something that doesn't change
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
		// The end of what a socket gets can be read as well.
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

// queued returns how many bytes can be read from a descriptor, and whether somebody may write more. At the end of a pipe some
// systems call it readable, and some don't: only the number tells whether there is anything.
func queued(poll poller, descriptor int) (bytes int, readable, open bool) {
	at := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLIN}}
	poll(at, 0)
	bytes, _ = unix.IoctlGetInt(descriptor, fionread)
	return bytes, at[0].Revents&unix.POLLIN != 0, at[0].Revents&(unix.POLLHUP|unix.POLLERR) == 0
}

// peekSocket returns the beginning of what is queued in a socket.
func peekSocket() []byte {
	head := make([]byte, headSize)
	n, _, err := unix.Recvfrom(0, head, unix.MSG_PEEK|unix.MSG_DONTWAIT)
	if err != nil {
		return nil
	}
	return head[:n]
}

// compare concludes from what was seen before an attempt and after it.
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
		return policy.Unspent // nothing can have come
	case after.open && after.read != before.read:
		return policy.Consumed
	case before.queued == 0 && (after.queued > 0 || !after.open), repeats(before.head):
		return policy.PerhapsConsumed // more may have come and gone
	}
	return policy.Unspent
}

// repeats reports whether head is one piece over and over, so that it looks the same when pieces have been taken and
// others have come.
func repeats(head []byte) bool {
	half := (len(head) + 1) / 2
	return len(head) > 1 && bytes.Contains(head[1:], head[:half]) && bytes.Index(head[1:], head[:half]) < half
}
