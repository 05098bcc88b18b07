package signals

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// CanStop reports whether Stop works.
const CanStop = true

// Stop stops this process by a signal as if nothing had subscribed to it, so that its parent sees that. It returns when
// the process has been continued, or at once if the process is in an orphaned group, which nobody would continue. It
// bypasses Go's runtime, which would keep its handler.
func Stop(by syscall.Signal) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const maskSize = 8
	var zeros, own [64]byte // a sigaction of zeros is SIG_DFL
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(by), uintptr(unsafe.Pointer(&zeros)), uintptr(unsafe.Pointer(&own)), maskSize, 0, 0)
	_ = unix.Tgkill(unix.Getpid(), unix.Gettid(), by)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(by), uintptr(unsafe.Pointer(&own)), 0, maskSize, 0, 0)
}
