//go:build unix && !linux

package stream

import (
	"os"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// openTerminal opens a pseudo-terminal. It duplicates the master, because the library's file would close it.
func openTerminal() (master int, slave *os.File, err error) {
	file, slave, err := pty.Open()
	if err != nil {
		return -1, nil, err
	}
	defer file.Close()
	if master, err = unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 3); err == nil {
		if err = unix.SetNonblock(master, true); err == nil {
			return master, slave, nil
		}
		unix.Close(master)
	}
	slave.Close()
	return -1, nil, err
}

// setUp makes the pseudo-terminal pass output unchanged and not echo input.
func (t *terminal) setUp() {
	descriptor := int(t.slave.Fd())
	if settings, err := unix.IoctlGetTermios(descriptor, unix.TIOCGETA); err == nil {
		settings.Oflag &^= unix.OPOST
		settings.Lflag &^= unix.ECHO
		_ = unix.IoctlSetTermios(descriptor, unix.TIOCSETA, settings)
	}
}

// read reads what is available. These systems don't report changed settings.
func (t *terminal) read(block []byte) (data []byte, told bool, err error) {
	n, err := unix.Read(t.master, block)
	return block[:max(0, n)], false, err
}

// A mirror does nothing on these systems.
type mirror struct{}

func (*mirror) follow(*terminal, []*relay) {}
func (*mirror) restore()                   {}

// A keyboard does nothing on these systems.
type keyboard struct{}

func (*keyboard) open(*terminal)        {}
func (*keyboard) serve([]int, []*relay) {}
func (*keyboard) watch(_ *watcher, timeout time.Duration) time.Duration {
	return timeout
}
