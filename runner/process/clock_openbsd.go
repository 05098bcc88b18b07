package process

import "golang.org/x/sys/unix"

// clockSuspended is the time since the system was booted. Of the clocks in clock_gettime(2), only CLOCK_UPTIME leaves
// out the time in suspension.
const clockSuspended = unix.CLOCK_BOOTTIME
