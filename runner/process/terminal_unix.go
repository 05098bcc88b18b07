//go:build unix

package process

import (
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// terminal is the controlling terminal. Its descriptor is negative if there is none.
type terminal struct{ descriptor int }

// controllingTerminal opens /dev/tty or, if that fails, looks for a terminal among the standard streams.
func controllingTerminal() terminal {
	tty, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err == nil {
		return terminal{tty}
	}
	return firstTerminal(hasGroup, hasSize)
}

// firstTerminal returns the first of the standard streams that is a terminal with a foreground group. On macOS and the
// BSDs, pipes and sockets also have a group, to which SIGIO is sent, but no size.
func firstTerminal(hasGroup, hasSize func(descriptor int) bool) terminal {
	for descriptor := range 3 {
		if hasGroup(descriptor) && hasSize(descriptor) {
			return terminal{descriptor}
		}
	}
	return terminal{-1}
}

func hasGroup(descriptor int) bool {
	_, err := unix.IoctlGetInt(descriptor, unix.TIOCGPGRP)
	return err == nil
}

func hasSize(descriptor int) bool {
	_, err := unix.IoctlGetWinsize(descriptor, unix.TIOCGWINSZ)
	return err == nil
}

func (t terminal) present() bool { return t.descriptor >= 0 }

// delivers reports whether retry assumes that the terminal has sent a signal to its whole foreground process group. On
// a terminal, the command is in that group, too.
func (t terminal) delivers(number syscall.Signal) bool {
	switch number {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGWINCH, syscall.SIGTSTP:
	default:
		return false
	}
	return t.ours()
}

// ours reports whether retry's group is the terminal's foreground group.
func (t terminal) ours() bool {
	if !t.present() {
		return false
	}
	foreground, err := unix.IoctlGetInt(t.descriptor, unix.TIOCGPGRP)
	return err == nil && foreground == unix.Getpgrp()
}

// takeBack makes retry's group the foreground group again if it was that before the attempt, and the present one has no
// processes left, as after an interactive shell was killed. Otherwise the next program that reads from the terminal
// would be stopped.
func (t terminal) takeBack(had bool) {
	if !had || t.ours() {
		return
	}
	foreground, err := unix.IoctlGetInt(t.descriptor, unix.TIOCGPGRP)
	if err == nil && unix.Kill(-foreground, 0) == unix.ESRCH {
		unstopped(func() { _ = unix.IoctlSetPointerInt(t.descriptor, unix.TIOCSPGRP, unix.Getpgrp()) })
	}
}

// unstopped calls do with SIGTTOU ignored, because the terminal would otherwise stop a background process that does this.
func unstopped(do func()) {
	if !signal.Ignored(syscall.SIGTTOU) {
		signal.Ignore(syscall.SIGTTOU)
		defer signal.Reset(syscall.SIGTTOU)
	}
	do()
}
