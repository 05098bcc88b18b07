package signals

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// Die ends this process by a signal, so that its parent sees that. It returns if the signal has no effect, as in PID 1.
// It bypasses Go's runtime, which would print a stack trace on SIGQUIT, and writes no core file, because that should be
// about the command.
func Die(by policy.Signal) {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	// A sigaction of zeros is SIG_DFL without flags, and an empty mask unblocks all signals.
	var zeros [64]byte
	const maskSize = 8
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(by.Number), uintptr(unsafe.Pointer(&zeros)), 0, maskSize, 0, 0)
	syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&zeros)), 0, maskSize, 0, 0)
	_ = unix.Tgkill(unix.Getpid(), unix.Gettid(), syscall.Signal(by.Number))
	time.Sleep(time.Millisecond)
}
