package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// canBlock reports whether blockUntilExit works on this system.
const canBlock = true

// blockUntilExit waits until any child has ended. It leaves the child to be reaped under the mutex.
func blockUntilExit() {
	for unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT, nil) == syscall.EINTR {
	}
}

// stopped reports whether a child has stopped since the last call. If it has exited, it is left to be reaped, because
// the follower may be waiting for that.
func stopped(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	return err == nil && info.Signo != 0
}
