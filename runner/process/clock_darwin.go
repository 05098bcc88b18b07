package process

import "golang.org/x/sys/unix"

// clockSuspended is a clock that "will continue to increment while the system is asleep", according to
// clock_gettime(3).
const clockSuspended = unix.CLOCK_MONOTONIC
