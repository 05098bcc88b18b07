//go:build unix

package process

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestTerminalIsSilent does not wait for a signal of the terminal that has not come.
func TestTerminalIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSystem()
		s.terminal = terminal{0}
		began := time.Now()
		if s.awaitTerminal(); time.Since(began) != 0 {
			t.Errorf("it waited for %v", time.Since(began))
		}
	})
}
