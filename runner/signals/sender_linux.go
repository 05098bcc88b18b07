//go:build amd64 || arm64

package signals

import (
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Go's os/signal does not say who sent a signal, and only that tells a terminal's INT, which the command has got as
// well, from one by kill(1). So the kernel is given a handler that notes the code of the signal and goes on to Go's.

// unseen is the code of a signal that has not come.
const unseen = -1 << 31

// codes has, by signal number, the si_code of the last signal of that number.
var codes [65]int32

// goHandler is the runtime's handler.
//
//lint:ignore U1000 it is read in assembly
var goHandler uintptr

// noteEntry is the address of the handler in front of it, which is in assembly: a func value would be the address of a
// wrapper that is for Go's callers.
func noteEntry() uintptr

// kernelSigaction is struct sigaction as the kernel has it on both processors.
type kernelSigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

// NoteSenders puts the noting handler in front of Go's handler. It has to come after signal.Notify, which sets that.
func NoteSenders(signals []os.Signal) {
	for i := range codes {
		codes[i] = unseen
	}
	for _, s := range signals {
		number := uintptr(s.(syscall.Signal))
		var action kernelSigaction
		if _, _, err := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, number, 0,
			uintptr(unsafe.Pointer(&action)), unsafe.Sizeof(action.mask), 0, 0); err != 0 || action.handler <= 1 {
			continue
		}
		goHandler = action.handler
		action.handler = noteEntry()
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, number, uintptr(unsafe.Pointer(&action)),
			0, unsafe.Sizeof(action.mask), 0, 0)
	}
}

// SentByProcess reports whether the last such signal was sent by a process, and not by the kernel for a terminal.
func SentByProcess(number syscall.Signal) bool {
	const user, thread = 0, -6 // SI_USER, SI_TKILL
	code := atomic.LoadInt32(&codes[number])
	return code == user || code == thread
}

// HasCome reports whether such a signal has come, though Go may not have passed it on yet.
func HasCome(number syscall.Signal) bool {
	return goHandler != 0 && atomic.LoadInt32(&codes[number]) != unseen
}
