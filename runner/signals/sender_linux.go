//go:build amd64 || arm64

package signals

import (
	"math"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Package os/signal doesn't tell who sent a signal, but that is the only difference between a SIGINT from the terminal, which
// the command has received too, and one sent by kill(1). So the kernel is given a handler that notes the signal's code and
// then jumps to Go's handler.

// unseen stands for the code of a signal that has not arrived.
const unseen = math.MaxInt32

// codes holds the si_code of the last signal of each number. The handler writes it.
var codes [65]int32

// goHandler is the handler of Go's runtime.
//
//lint:ignore U1000 it is read in assembly
var goHandler uintptr

// noteEntry returns the address of the handler that notes codes. It is in assembly, because a func value would hold the
// address of a wrapper for calls from Go.
func noteEntry() uintptr

// kernelSigaction is the kernel's struct sigaction on both architectures.
type kernelSigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

// NoteSenders installs the noting handler in front of Go's handler. It must be called after signal.Notify, which
// installs that.
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

// SentByProcess reports whether the last signal with this number was sent by a process, as opposed to the kernel on
// behalf of a terminal. The kernel's own codes are above 0, where kill(2), tgkill(2) and sigqueue(3) have 0 and below.
func SentByProcess(number syscall.Signal) bool { return atomic.LoadInt32(&codes[number]) <= 0 }

// HasCome reports whether a signal with this number has arrived, even if Go has not passed it on yet.
func HasCome(number syscall.Signal) bool {
	return goHandler != 0 && atomic.LoadInt32(&codes[number]) != unseen
}
