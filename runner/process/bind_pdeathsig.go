//go:build linux || freebsd

package process

import "syscall"

// bindToParent makes the kernel kill the command when retry dies.
func bindToParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
