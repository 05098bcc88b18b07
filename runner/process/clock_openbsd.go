package process

import "golang.org/x/sys/unix"

// clockSuspended tells the time since the system was booted; by clock_gettime(2), only CLOCK_UPTIME leaves out the time in
// which it was suspended.
const clockSuspended = unix.CLOCK_BOOTTIME
