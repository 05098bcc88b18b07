package signals

import (
	"os"
	"slices"
	"syscall"
	"testing"
)

// TestRealtime checks that every realtime signal that the C library leaves to programs is forwarded.
func TestRealtime(t *testing.T) {
	others := RareOthers()
	for number := syscall.Signal(32); number < 66; number++ {
		if want := number >= 35 && number <= 64; slices.Contains(others, os.Signal(number)) != want {
			t.Errorf("signal %d is forwarded: %t", number, !want)
		}
	}
}
