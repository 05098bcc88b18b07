//go:build unix && !(linux && exactsignals)

package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// KeepIgnored ignores again the signals that were ignored when retry was started. This build knows that only of signals
// that Go's runtime leaves alone if they are ignored: SIGHUP, SIGINT and those of job control. A shell that ignores
// SIGINT also ignores SIGQUIT, so KeepIgnored does the same. All others, such as SIGPIPE and SIGTERM, have their
// default action in the command.
func KeepIgnored() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Ignore(syscall.SIGQUIT)
	}
}

// Notify is signal.Notify.
func Notify(to chan<- os.Signal, signals ...os.Signal) { signal.Notify(to, signals...) }

// WithInheritedMask calls fork. If retry was started with signals blocked that ordinarily end a program, Go's runtime
// has unblocked them, and they are not blocked in the command.
func WithInheritedMask(fork func()) { fork() }
