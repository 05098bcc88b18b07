//go:build unix && !(linux && exactsignals)

package runner

import (
	"os/signal"
	"syscall"
)

// keepIgnored restores what Go's runtime changed of the dispositions that retry was started with. Of the ignored
// signals this build only knows those that the runtime itself leaves alone: HUP, INT and the job control signals. A
// shell ignores QUIT together with INT, so that is taken to follow. Others, PIPE and TERM for instance, are at their
// defaults in the command.
func keepIgnored() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Ignore(syscall.SIGQUIT)
	}
}
