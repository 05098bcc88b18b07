package process

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLooking has a clock that jumps, as one does when the system has been suspended.
func TestLooking(t *testing.T) {
	for _, test := range []struct {
		name      string
		limit     time.Duration
		jumps, by time.Duration // when the clock jumps, and how far
		want      time.Duration
	}{
		{name: "short", limit: time.Millisecond, want: time.Millisecond},
		{name: "none", limit: 0, want: 0},
		{name: "long", limit: time.Hour, want: time.Hour},
		{name: "uneven", limit: 25 * time.Second, want: 25 * time.Second},
		{name: "suspended to beyond", limit: time.Hour, jumps: 15 * time.Second, by: 2 * time.Hour, want: 20 * time.Second},
		{name: "suspended within", limit: time.Hour, jumps: 15 * time.Second, by: time.Minute, want: 59 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				elapsed := func() time.Duration { // a clock that has been running for a while
					now := time.Since(start)
					if test.by > 0 && now >= test.jumps {
						now += test.by
					}
					return time.Minute + now
				}
				over, release := looking(test.limit, elapsed)
				defer release()
				<-over
				if took := time.Since(start); took != test.want {
					t.Errorf("over after %v, want %v", took, test.want)
				}
			})
		})
	}
}

// TestLookingIsReleased checks that no goroutine is left behind, which synctest would report.
func TestLookingIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over, release := looking(time.Hour, func() time.Duration { return 0 })
		time.Sleep(time.Minute)
		release()
		synctest.Wait()
		select {
		case <-over:
			t.Error("it is over")
		default:
		}
	})
}
