//go:build unix && !linux

package signals

import (
	"os"
	"syscall"
)

// RareEndings returns further signals that end retry as SIGTERM does. Most of them usually come from a fault in the
// program itself. If somebody else sends one, Go's runtime would print a stack trace.
func RareEndings() []os.Signal {
	return []os.Signal{
		syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSYS, syscall.SIGTRAP,
		syscall.SIGXCPU, syscall.SIGEMT,
	}
}

// RareOthers returns further signals to be forwarded.
func RareOthers() []os.Signal { return []os.Signal{syscall.SIGIO, syscall.SIGVTALRM} }
