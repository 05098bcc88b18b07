package stream

import "golang.org/x/sys/unix"

// A mirror has the real terminal take the settings that the command gives to its pseudo-terminal: a program that draws
// its screen on standard output sets the modes there, and reads its keys from the real terminal.
type mirror struct {
	real   int
	before *unix.Termios // what the real terminal had when the command changed the first
	set    unix.Termios  // what it has been given
}

// follow takes over what the command has changed on one of the terminals. The others that stand in the place of the same
// one change with it.
func (m *mirror) follow(t *terminal, all []*relay) {
	now, err := unix.IoctlGetTermios(t.master, unix.TCGETS)
	if err != nil || *now == t.settings {
		return
	}
	was := t.settings
	t.settings = *now
	if now.Oflag&unix.OPOST != 0 || now.Lflag&unix.EXTPROC == 0 {
		t.set(*now)
	}
	if t.real < 0 {
		return
	}
	for _, r := range all {
		if r.terminal != t {
			r.terminal.set(changed(r.terminal.settings, was, *now))
		}
	}
	real, err := unix.IoctlGetTermios(t.real, unix.TCGETS)
	if err != nil {
		return
	}
	m.set = changed(*real, was, *now)
	if m.set == *real {
		return
	}
	if m.before == nil {
		m.real, m.before = t.real, real
	}
	_ = unix.IoctlSetTermios(t.real, unix.TCSETS, &m.set)
}

// restore gives the real terminal back what it had, unless somebody else has changed it since.
func (m *mirror) restore() {
	if m.before == nil {
		return
	}
	now, err := unix.IoctlGetTermios(m.real, unix.TCGETS)
	if err == nil && *now == m.set && *now != *m.before && inForeground(m.real) {
		_ = unix.IoctlSetTermios(m.real, unix.TCSETS, m.before)
	}
	m.before = nil
}

// changed is settings with what differs between two others: of input, control and local modes, and of output modes but
// the one that stands for all.
func changed(settings, was, now unix.Termios) unix.Termios {
	mix := func(to, was, now uint32) uint32 { return to&^(was^now) | now&(was^now) }
	const own = unix.EXTPROC
	settings.Iflag = mix(settings.Iflag, was.Iflag, now.Iflag)
	settings.Oflag = mix(settings.Oflag, was.Oflag&^unix.OPOST, now.Oflag&^unix.OPOST)
	settings.Lflag = mix(settings.Lflag, was.Lflag&^own, now.Lflag&^own)
	for i := range settings.Cc {
		if was.Cc[i] != now.Cc[i] {
			settings.Cc[i] = now.Cc[i]
		}
	}
	return settings
}

// inForeground reports whether the terminal is retry's own and nobody else has it now.
func inForeground(terminal int) bool {
	group, err := unix.IoctlGetInt(terminal, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
