package process

import "time"

// lookEvery is the time between two looks at a clock that counts time in suspension, where no timer does. Go's timers
// stop meanwhile, so the end may be noticed this much too late.
const lookEvery = 10 * time.Second

// looking returns a channel that receives once elapsed has grown by d. release stops it.
func looking(d time.Duration, elapsed func() time.Duration) (over <-chan time.Time, release func()) {
	reached, released := make(chan time.Time, 1), make(chan struct{})
	start := elapsed()
	go func() {
		for {
			left := d - (elapsed() - start)
			if left <= 0 {
				reached <- time.Now()
				return
			}
			timer := time.NewTimer(min(left, lookEvery))
			select {
			case <-timer.C:
			case <-released:
				timer.Stop()
				return
			}
		}
	}()
	return reached, func() { close(released) }
}
