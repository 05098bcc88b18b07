package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// canBlock says that blockUntilExit works here.
const canBlock = true

// blockUntilExit returns when some child has ended, which stays to be reaped.
func blockUntilExit() {
	for unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT, nil) == syscall.EINTR {
	}
}

// bindToParent has the command killed if retry is.
func bindToParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
