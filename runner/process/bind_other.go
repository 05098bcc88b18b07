//go:build unix && !linux && !freebsd

package process

import "syscall"

// bindToParent does nothing: this system has no parent-death signal.
func bindToParent(*syscall.SysProcAttr) {}
