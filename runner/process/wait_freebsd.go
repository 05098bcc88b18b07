//go:build !386 && !arm

package process

import "syscall"

// canBlock says that SIGCHLD tells of every exit instead.
const canBlock = false

func blockUntilExit() {}

// bindToParent has the command killed if retry is.
func bindToParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
