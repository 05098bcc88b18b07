package stream

import "golang.org/x/sys/unix"

// The system calls that newer processors' kernels have only in another form.
const (
	sysPoll   = unix.SYS_POLL
	sysSelect = unix.SYS_SELECT
)
