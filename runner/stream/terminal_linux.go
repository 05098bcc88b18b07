package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal asks the master for its slave, so that it needs no path to it and finds the right one in a container too.
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

// setUp makes the terminal one that changes no byte, and otherwise shows the settings of the real one. EXTPROC says that
// somebody else does what a terminal does with input, as the real one does. In packet mode the master tells when the
// command changes the settings.
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

// set gives the terminal settings, but for those that would change what is written.
func (t *terminal) set(settings unix.Termios) {
	settings.Oflag &^= unix.OPOST
	settings.Lflag |= unix.EXTPROC
	_ = unix.IoctlSetTermios(t.master, unix.TCSETS, &settings)
	if now, err := unix.IoctlGetTermios(t.master, unix.TCGETS); err == nil {
		t.settings = *now
	}
}

// read takes what there is. told is true where the command has changed the settings instead.
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
