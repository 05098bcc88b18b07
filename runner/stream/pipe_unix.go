//go:build unix

package stream

import (
	"os"
	"syscall"
)

// pipeFrom makes a pipe from the command to retry.
func pipeFrom() (source, command *os.File, err error) { return os.Pipe() }

// pipeTo makes a pipe from retry to the command.
func pipeTo() (command, feeding *os.File, err error) { return os.Pipe() }

// control calls use with the file's descriptor. Unlike Fd, it never makes the file blocking.
func control(file *os.File, use func(descriptor int)) {
	if raw, err := file.SyscallConn(); err == nil {
		_ = raw.Control(func(descriptor uintptr) { use(int(descriptor)) })
	}
}

// readNow reads what is available, without waiting. It returns 0 or less if there is nothing.
func readNow(file *os.File, block []byte) (n int) {
	control(file, func(descriptor int) { n, _ = syscall.Read(descriptor, block) })
	return n
}
