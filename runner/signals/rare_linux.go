package signals

import (
	"os"
	"syscall"
)

// RareEndings returns further signals that end retry as SIGTERM does. Most of them usually come from a fault in the
// program itself. If somebody else sends one, Go's runtime would print a stack trace.
func RareEndings() []os.Signal {
	return []os.Signal{
		syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSTKFLT, syscall.SIGSYS,
		syscall.SIGTRAP, syscall.SIGXCPU,
	}
}

// RareOthers returns further signals to be forwarded, including the realtime signals.
func RareOthers() []os.Signal { return withRealtime(syscall.SIGIO, syscall.SIGPWR, syscall.SIGVTALRM) }

func withRealtime(signals ...os.Signal) []os.Signal {
	const first, count = 35, 30 // lower ones are used by the C library and the runtime
	for i := range count {
		signals = append(signals, syscall.Signal(first+i))
	}
	return signals
}
