//go:build !linux && !darwin && !openbsd

package process

import "time"

// countsSuspension is false: the manuals of FreeBSD and NetBSD don't say whether their clocks count time in suspension,
// and what Go's clock does on Windows is untested.
const countsSuspension = false

var began = time.Now()

// systemTime is Go's monotonic clock.
func systemTime() time.Duration { return time.Since(began) }
