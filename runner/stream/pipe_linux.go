package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeCapacity is how many bytes retry asks the kernel to let its pipes hold.
const pipeCapacity = 1 << 20

// widen makes a pipe larger, so that reader and writer take turns less often. The kernel may refuse.
func widen(pipe *os.File) {
	control(pipe, func(descriptor int) {
		_, _ = unix.FcntlInt(uintptr(descriptor), unix.F_SETPIPE_SZ, pipeCapacity)
	})
}
