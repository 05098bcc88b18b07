//go:build !386 && !arm

package runner

import "syscall"

// canBlock says that SIGCHLD tells of every exit instead.
const canBlock = false

func blockUntilExit() {}

// bindToParent has the command killed if retry is.
func bindToParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// becomeSubreaper makes orphans of the attempts retry's own children.
func becomeSubreaper() {
	const acquire = 2 // PROC_REAP_ACQUIRE
	_ = procctl(acquire, nil)
}
