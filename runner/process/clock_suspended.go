//go:build darwin || openbsd

package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// countsSuspension says that systemTime keeps running while the system is suspended.
const countsSuspension = true

// began is used if the clock can't be read.
var began = time.Now()

// systemTime reads the clock that keeps running during suspension, according to the system's manual.
func systemTime() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(clockSuspended, &now) != nil {
		return time.Since(began)
	}
	return time.Duration(now.Nano())
}
