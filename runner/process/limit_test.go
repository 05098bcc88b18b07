//go:build linux && !race

package process_test

import (
	"os"
	"testing"
)

// TestTimeoutAtProcessLimit has a command use up all processes that a user may have. Retry's threads count as well.
// The race detector is left out: it needs cgo, and such a program ends if it can't create a thread.
func TestTimeoutAtProcessLimit(t *testing.T) {
	t.Parallel()
	as, used := "", `$(ps -L -u "$(id -u)" | wc -l)` // the limit includes threads and everything that the user runs
	if os.Getuid() == 0 {                            // the limit doesn't apply to root
		as, used = "setpriv --reuid 64321 --regid 64321 --clear-groups", "0"
	}
	for range 2 {
		// In bash, because dash calls the option -p. At the limit, bash waits for 1 s, then for 2 s, 4 s and so on.
		r := prepare(t, "bash", "-c", `ulimit -u $((`+used+` + 200)); exec `+as+` "$RETRY" -qq -n 1 --idle-timeout 1.5 --kill-after 1 -- bash -c '
			while :; do sleep 301.$MARK & echo; done'`).start()
		r.exits(124)
		r.hears("fork: ")
		r.goneAlready()
	}
}
