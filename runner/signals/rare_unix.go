//go:build unix && !linux

package signals

import (
	"os"
	"syscall"
)

// RareEndings returns further signals that end retry as SIGTERM does. Most of them come from a fault of the program
// itself, and Go's runtime would print its stacks if somebody else sent one.
func RareEndings() []os.Signal {
	return []os.Signal{
		syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSYS, syscall.SIGTRAP,
		syscall.SIGXCPU, syscall.SIGEMT,
	}
}

// RareOthers returns further signals that are forwarded.
func RareOthers() []os.Signal { return []os.Signal{syscall.SIGIO, syscall.SIGVTALRM} }
