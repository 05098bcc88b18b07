package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeCapacity is what retry asks the system to let its pipes hold.
const pipeCapacity = 1 << 20

// widen makes a pipe larger, so that reader and writer take turns less often. It may be refused.
func widen(pipe *os.File) {
	control(pipe, func(descriptor int) {
		_, _ = unix.FcntlInt(uintptr(descriptor), unix.F_SETPIPE_SZ, pipeCapacity)
	})
}
