package signals

import (
	"os"
	"syscall"
)

// RareEndings returns further signals that end retry as SIGTERM does. Most of them come from a fault of the program
// itself, and Go's runtime would print its stacks if somebody else sent one.
func RareEndings() []os.Signal {
	return []os.Signal{
		syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSTKFLT, syscall.SIGSYS,
		syscall.SIGTRAP, syscall.SIGXCPU,
	}
}

// RareOthers returns further signals that are forwarded, the realtime signals among them.
func RareOthers() []os.Signal { return withRealtime(syscall.SIGIO, syscall.SIGPWR, syscall.SIGVTALRM) }

func withRealtime(signals ...os.Signal) []os.Signal {
	const first, last = 35, 64 // the C library and the runtime keep those below to themselves
	for number := syscall.Signal(first); number <= last; number++ {
		signals = append(signals, number)
	}
	return signals
}
