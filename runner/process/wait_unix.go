//go:build unix && !linux && (!freebsd || 386 || arm)

package process

import "syscall"

// canBlock says that there is no call that waits for any child and leaves it to be reaped under the mutex: SIGCHLD
// tells of every exit instead.
const canBlock = false

func blockUntilExit() {}

func bindToParent(*syscall.SysProcAttr) {}
