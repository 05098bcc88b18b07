//go:build unix

package stream

import (
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"retry/runner"
	"retry/runner/console"
)

// terminal is a pseudo-terminal that the command gets as an output stream. The command has one side, the slave, and
// what it writes there comes out of the other, the master, byte for byte.
type terminal struct {
	real   int  // the descriptor of the terminal that it replaces; -1 for none
	wanted bool // the attempt fails without it, rather than get a pipe

	mu     sync.Mutex // guards against a resize while it is being closed
	master int        // -1 while there is none
	// slave is also open in retry until the command has ended: the BSDs drop what has not been read when the last one
	// is closed.
	slave    *os.File
	settings unix.Termios // as last seen or set by retry
}

// newTerminal returns the pseudo-terminal that the command gets for one of retry's descriptors, or nil if it gets none.
func newTerminal(mode runner.TTY, descriptor int, watched bool) *terminal {
	if mode == runner.NeverTTY || mode == runner.AutoTTY && !watched {
		return nil
	}
	switch isTerminal := console.Width(descriptor) > 0; {
	case isTerminal && watched:
		return &terminal{real: descriptor, wanted: mode == runner.AlwaysTTY, master: -1}
	case !isTerminal && mode == runner.AlwaysTTY:
		return &terminal{real: -1, wanted: true, master: -1}
	}
	return nil
}

// open opens the pseudo-terminal for one attempt and returns the command's side.
func (t *terminal) open() (*os.File, error) {
	master, slave, err := openTerminal()
	if err != nil {
		return nil, os.NewSyscallError("open a pseudo-terminal", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.master, t.slave = master, slave
	t.setUp()
	_ = unix.IoctlSetWinsize(master, unix.TIOCSWINSZ, t.realSize())
	return slave, nil
}

// close closes both sides. Processes that still have the slave open can't write to it any more.
func (t *terminal) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseSlave()
	if t.master >= 0 {
		unix.Close(t.master)
		t.master = -1
	}
}

// release closes retry's own copy of the command's side.
func (t *terminal) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseSlave()
}

func (t *terminal) releaseSlave() {
	if t.slave != nil {
		t.slave.Close()
		t.slave = nil
	}
}

// realSize returns the size of the real terminal. Without one it is what the environment says, or else that of a
// classic screen.
func (t *terminal) realSize() *unix.Winsize {
	if t.real >= 0 {
		if size, err := unix.IoctlGetWinsize(t.real, unix.TIOCGWINSZ); err == nil {
			return size
		}
	}
	return &unix.Winsize{Col: fromEnvironment("COLUMNS", 80), Row: fromEnvironment("LINES", 24)}
}

func fromEnvironment(name string, otherwise uint16) uint16 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 16); err == nil && n > 0 {
		return uint16(n)
	}
	return otherwise
}

// resize gives the pseudo-terminal the size of the real one, and reports whether it had another.
func (t *terminal) resize() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.master < 0 || t.real < 0 {
		return false
	}
	size := t.realSize()
	if now, err := unix.IoctlGetWinsize(t.master, unix.TIOCGWINSZ); err != nil || *now == *size {
		return false
	}
	return unix.IoctlSetWinsize(t.master, unix.TIOCSWINSZ, size) == nil
}

// HasTerminals reports whether the command gets a pseudo-terminal in place of a real one.
func (s *Streams) HasTerminals() bool {
	for _, r := range s.relays() {
		if r.terminal != nil && r.terminal.real >= 0 {
			return true
		}
	}
	return false
}

// Resize gives the command's pseudo-terminals the size of the real ones, and reports whether any of them had another.
// In that case the command must be told, because it may have asked for the size before.
func (s *Streams) Resize() (changed bool) {
	for _, r := range s.relays() {
		if r.terminal != nil && r.terminal.resize() {
			changed = true
		}
	}
	return changed
}
