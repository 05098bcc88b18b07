package process

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestBootTime compares the clock with the kernel's, which counts time in suspension.
func TestBootTime(t *testing.T) {
	kernel := func() time.Duration {
		var now unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
			t.Fatal(err)
		}
		return time.Duration(now.Nano())
	}
	before, c := kernel(), newClock()
	elapsed := c.elapsed()
	if after := kernel(); c.start < before || elapsed < 0 || c.start+elapsed > after {
		t.Errorf("it started at %v and took %v, between %v and %v", c.start, elapsed, before, after)
	}
}

// TestBootTimer lets one timer expire and releases another one.
func TestBootTimer(t *testing.T) {
	for name, limit := range map[string]time.Duration{"ends": time.Millisecond, "is released": time.Hour} {
		over, release, ok := bootTimer(limit)
		if !ok {
			t.Fatal("the kernel has no such timer")
		}
		if limit == time.Hour {
			release()
		}
		select {
		case <-over:
		case <-time.After(30 * time.Second):
			t.Errorf("a timer that %s sends nothing", name)
		}
		release()
	}
}
