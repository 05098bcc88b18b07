//go:build unix

package process

import (
	"syscall"
	"time"

	"retry/runner/signals"
)

// redrawing is the time that a program needs to redraw its screen after a SIGWINCH. curses would miss another one that
// comes earlier.
const redrawing = 50 * time.Millisecond

// resize gives the command's pseudo-terminals the size of the real ones. The foreground group has already received a
// SIGWINCH, and may have read the old size after that, so resize sends another. The caller holds the mutex.
func (s *System) resize() {
	if s.streams != nil && s.streams.Resize() && s.terminal.delivers(syscall.SIGWINCH) {
		time.AfterFunc(redrawing, func() { _ = syscall.Kill(0, syscall.SIGWINCH) })
	}
}

// suspend stops retry after a SIGTSTP, once the command has stopped and everything that it wrote before is on the
// screen. If the command doesn't stop, neither does retry.
func (s *System) suspend() {
	if !s.awaitStop() {
		return
	}
	s.streams.AwaitQuiet()
	stop := func() { signals.Stop(syscall.SIGTSTP) }
	if s.Aside != nil {
		s.Aside(stop)
	} else {
		stop()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resize()
}

// awaitStop waits at least a second for the command to stop, and reports whether it has. Without a command it returns true.
func (s *System) awaitStop() bool {
	for range 1000 {
		if s.hasStopped() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// hasStopped reports whether the command has stopped, or there is none.
func (s *System) hasStopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.current
	if p == nil || p.exited {
		return true
	}
	return stopped(p.pid)
}
