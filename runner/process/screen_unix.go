//go:build unix

package process

import (
	"syscall"
	"time"

	"retry/runner/signals"
)

// redrawing is the time in which a program has drawn its screen after a WINCH, and waits for the next one: curses would
// not see one that comes earlier.
const redrawing = 50 * time.Millisecond

// resize makes the command's pseudo-terminals as large as the real ones. The command, and whatever else of the
// foreground group draws on them, has been told before and may have asked for the old size, so it is told once more. The
// mutex is held.
func (s *System) resize() {
	if s.streams != nil && s.streams.Resize() && s.terminal.delivers(syscall.SIGWINCH) {
		time.AfterFunc(redrawing, func() { _ = syscall.Kill(0, syscall.SIGWINCH) })
	}
}

// suspend stops retry after a TSTP once the command has stopped, and all that it had written before is on the screen. A
// command that doesn't stop goes on, and retry with it.
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

// awaitStop waits for the command to stop, if there is one, but not for long.
func (s *System) awaitStop() bool {
	const most, tick = time.Second, 2 * time.Millisecond
	for began := time.Now(); time.Since(began) < most; time.Sleep(tick) {
		if s.hasStopped() {
			return true
		}
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
