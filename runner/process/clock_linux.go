package process

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clock measures time by CLOCK_BOOTTIME, which unlike Go's timers keeps running while the system is suspended.
type clock struct{ start time.Duration }

func newClock() clock { return clock{bootTime()} }

func (c clock) elapsed() time.Duration { return bootTime() - c.start }

// after returns a channel that receives once d has passed. If suspended is true, time during which the system is
// suspended counts. release stops the timer.
func (c clock) after(d time.Duration, suspended bool) (over <-chan time.Time, release func()) {
	if suspended {
		if over, release, ok := bootTimer(d); ok {
			return over, release
		}
		return looking(d, bootTime)
	}
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

// bootTime returns the time since the system was booted.
func bootTime() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(now.Nano())
}

// bootTimer is after with suspended set, by a timer of the kernel. ok is false if the kernel has none.
func bootTimer(d time.Duration) (over <-chan time.Time, release func(), ok bool) {
	descriptor, err := unix.TimerfdCreate(unix.CLOCK_BOOTTIME, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		return nil, nil, false
	}
	file := os.NewFile(uintptr(descriptor), "timer")
	setting := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(descriptor, 0, &setting, nil) != nil {
		file.Close()
		return nil, nil, false
	}
	due := time.Now().Add(d)
	fired := make(chan time.Time, 1)
	go func() {
		var expirations [8]byte
		if _, err := file.Read(expirations[:]); err != nil && !errors.Is(err, os.ErrClosed) {
			time.Sleep(time.Until(due)) // the timer can't be read; without it, time in suspension doesn't count
		}
		fired <- time.Now()
	}()
	return fired, func() { file.Close() }, true
}
