//go:build unix && !(linux && exactsignals)

package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// KeepIgnored restores what Go's runtime changed of the dispositions that retry was started with. Of the ignored
// signals this build only knows those that the runtime itself leaves alone: HUP, INT and the job control signals. A
// shell ignores QUIT together with INT, so that is taken to follow. Others, PIPE and TERM for instance, are at their
// defaults in the command.
func KeepIgnored() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Ignore(syscall.SIGQUIT)
	}
}

// Notify is signal.Notify.
func Notify(to chan<- os.Signal, signals ...os.Signal) { signal.Notify(to, signals...) }

// WithInheritedMask forks. Of the signals that were blocked when retry was started, Go's runtime has unblocked those by
// which a program usually ends, and the command finds them unblocked.
func WithInheritedMask(fork func()) { fork() }
