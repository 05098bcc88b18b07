package stream

import "golang.org/x/sys/unix"

// A mirror applies to the real terminal the settings that the command gives its pseudo-terminal: a program that draws
// its screen on standard output sets the modes there, but reads its keys from the real terminal.
type mirror struct {
	real   int           // its descriptor
	before *unix.Termios // its settings before the command's first change; nil if there was none
	set    unix.Termios  // the settings applied last
}

// follow applies what the command has changed on t to the real terminal, and to the other pseudo-terminals that replace it.
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

// restore restores the real terminal's settings, unless somebody else has changed them since or has the terminal now.
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

// changed returns settings with the differences between was and now applied, except those in OPOST and EXTPROC, which
// retry itself sets.
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

// inForeground reports whether retry's process group has the terminal.
func inForeground(terminal int) bool {
	group, err := unix.IoctlGetInt(terminal, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
