//go:build !linux && !darwin && !openbsd

package process

import "time"

// countsSuspension is false: the manuals of FreeBSD and NetBSD don't say what their clocks do while the system is
// suspended, and on Windows it was never tried what Go's clock does.
const countsSuspension = false

var began = time.Now()

// systemTime is Go's monotonic clock.
func systemTime() time.Duration { return time.Since(began) }
