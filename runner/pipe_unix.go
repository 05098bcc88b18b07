//go:build unix

package runner

import (
	"os"
	"syscall"
)

func control(file *os.File, use func(descriptor int)) {
	if raw, err := file.SyscallConn(); err == nil {
		_ = raw.Control(func(descriptor uintptr) { use(int(descriptor)) })
	}
}

// readNow reads what is there and does not wait.
func readNow(file *os.File, block []byte) (n int) {
	control(file, func(descriptor int) { n, _ = syscall.Read(descriptor, block) })
	return n
}
