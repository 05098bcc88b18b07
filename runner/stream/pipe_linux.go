package stream

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeCapacity is the capacity in bytes that retry requests for its pipes.
const pipeCapacity = 1 << 20

// widen enlarges a pipe, so that its reader and its writer take turns less often. The kernel may refuse.
func widen(pipe *os.File) {
	control(pipe, func(descriptor int) {
		_, _ = unix.FcntlInt(uintptr(descriptor), unix.F_SETPIPE_SZ, pipeCapacity)
	})
}
