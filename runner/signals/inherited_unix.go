//go:build unix && !(linux && exactsignals)

package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// KeepIgnored ignores those signals again that were ignored when retry was started. This build only knows that of the
// signals that Go's runtime leaves alone if they are ignored: SIGHUP, SIGINT and those of job control. A shell that
// ignores SIGINT ignores SIGQUIT too, so that one follows. The command finds all others, SIGPIPE and SIGTERM for
// example, at their defaults.
func KeepIgnored() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Ignore(syscall.SIGQUIT)
	}
}

// Notify is signal.Notify.
func Notify(to chan<- os.Signal, signals ...os.Signal) { signal.Notify(to, signals...) }

// WithInheritedMask calls fork. If retry was started with signals blocked by which a program usually ends, Go's runtime
// has unblocked them, and the command finds them unblocked.
func WithInheritedMask(fork func()) { fork() }
