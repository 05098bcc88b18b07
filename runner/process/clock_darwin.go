package process

import "golang.org/x/sys/unix"

// clockSuspended "will continue to increment while the system is asleep", says clock_gettime(3).
const clockSuspended = unix.CLOCK_MONOTONIC
