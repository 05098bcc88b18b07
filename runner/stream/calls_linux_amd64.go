package stream

import "golang.org/x/sys/unix"

// The numbers of poll and select. Newer architectures have only ppoll and pselect6.
const (
	sysPoll   = unix.SYS_POLL
	sysSelect = unix.SYS_SELECT
)
