package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// canBlock reports whether blockUntilExit works on this system.
const canBlock = true

// blockUntilExit returns when any child has ended, and leaves it to be reaped under the mutex.
func blockUntilExit() {
	for unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT, nil) == syscall.EINTR {
	}
}
