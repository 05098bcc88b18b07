//go:build unix && !linux

package signals

import (
	"os/signal"
	"syscall"
	"time"

	"retry/policy"
)

// Die ends this process by a signal, so that its parent sees that. It returns if the signal has no effect. It does
// nothing for SIGQUIT, on which Go's runtime would print a stack trace.
func Die(by policy.Signal) {
	number := syscall.Signal(by.Number)
	if number == syscall.SIGQUIT {
		return
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	signal.Reset(number)
	_ = syscall.Kill(syscall.Getpid(), number)
	time.Sleep(100 * time.Millisecond)
}
