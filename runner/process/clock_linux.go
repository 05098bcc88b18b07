package process

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clock measures with CLOCK_BOOTTIME, which, unlike Go's timers, goes on while the system is suspended.
type clock struct{ start time.Duration }

func newClock() clock { return clock{bootTime()} }

func (c clock) elapsed() time.Duration { return bootTime() - c.start }

// after sends when d has passed; with suspended, the time the system is suspended counts. release frees the timer.
func (c clock) after(d time.Duration, suspended bool) (over <-chan time.Time, release func()) {
	if suspended {
		if over, release, ok := bootTimer(d); ok {
			return over, release
		}
	}
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

func bootTime() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(now.Nano())
}

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
	fired := make(chan time.Time, 1)
	go func() {
		var expirations [8]byte
		if _, err := file.Read(expirations[:]); err == nil {
			fired <- time.Now()
		}
	}()
	return fired, func() { file.Close() }, true
}
