//go:build darwin || openbsd

package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// countsSuspension says that systemTime goes on while the system is suspended.
const countsSuspension = true

// began is for the case that the clock can't be read.
var began = time.Now()

// systemTime reads the system's clock that, by its manual, doesn't stop.
func systemTime() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(clockSuspended, &now) != nil {
		return time.Since(began)
	}
	return time.Duration(now.Nano())
}
