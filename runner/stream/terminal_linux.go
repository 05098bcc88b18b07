package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal opens a pseudo-terminal. It gets the slave from the master instead of by a path, which may lead to
// another device in a container.
func openTerminal() (master int, slave *os.File, err error) {
	const flags = unix.O_RDWR | unix.O_NOCTTY | unix.O_CLOEXEC
	if master, err = unix.Open("/dev/ptmx", flags|unix.O_NONBLOCK, 0); err != nil {
		return -1, nil, err
	}
	err = unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0)
	if err == nil {
		descriptor, _, number := unix.Syscall(unix.SYS_IOCTL, uintptr(master), unix.TIOCGPTPEER, flags)
		if number == 0 {
			return master, os.NewFile(descriptor, "pseudo-terminal"), nil
		}
		err = number
	}
	unix.Close(master)
	return -1, nil, err
}

// setUp gives the pseudo-terminal the settings of the real one, but makes it pass output unchanged. EXTPROC says that
// input is processed elsewhere, which the real terminal does. In packet mode, the master reports when the command
// changes the settings.
func (t *terminal) setUp() {
	from := t.master
	if t.real >= 0 {
		from = t.real
	}
	if settings, err := unix.IoctlGetTermios(from, unix.TCGETS); err == nil {
		t.set(*settings)
	}
	_ = unix.IoctlSetPointerInt(t.master, unix.TIOCPKT, 1)
}

// set applies settings, except those that would change the output.
func (t *terminal) set(settings unix.Termios) {
	settings.Oflag &^= unix.OPOST
	settings.Lflag |= unix.EXTPROC
	_ = unix.IoctlSetTermios(t.master, unix.TCSETS, &settings)
	if now, err := unix.IoctlGetTermios(t.master, unix.TCGETS); err == nil {
		t.settings = *now
	}
}

// read reads what is available. told reports that the command has changed the settings instead.
func (t *terminal) read(block []byte) (data []byte, told bool, err error) {
	n, err := unix.Read(t.master, block)
	if n <= 0 {
		return nil, false, err
	}
	if kind := block[0]; kind != unix.TIOCPKT_DATA {
		return nil, kind&unix.TIOCPKT_IOCTL != 0, unix.EAGAIN
	}
	return block[1:n], false, nil
}
