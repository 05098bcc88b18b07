//go:build unix

package process_test

import (
	"testing"
	"time"
)

// TestTimeoutKills has a command that itself ignores SIGTERM. KILL comes after --kill-after, and not before.
func TestTimeoutKills(t *testing.T) {
	t.Parallel()
	began := time.Now()
	r := begin(t, "-n", "1", "--timeout", "0.2", "--kill-after", "0.6", "sh", "-c",
		`trap 'echo asked' TERM; while :; do sleep 0.05; done`)
	r.exits(124)
	if took := time.Since(began); took < 700*time.Millisecond {
		t.Errorf("killed after %v", took)
	}
	r.saidTimes(1, "asked")
	r.goneAlready()
}

// TestEarlierChildrenEnd has earlier children end during an attempt. Their status must not be taken for the command's.
func TestEarlierChildrenEnd(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"", "--timeout 100"} {
		r := beginScript(t, `for i in 1 2 3 4 5 6 7 8 9; do (sleep 0.0$i; exit $i) & done
			exec "$RETRY" -n 20 --delay 0 -q `+options+` -c 'sleep 0.02; exit 42'`)
		r.exits(42)
	}
}
