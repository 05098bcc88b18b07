//go:build exactsignals

package signals

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe" // for go:linkname too

	"golang.org/x/sys/unix"
)

// fwdSig is where Go's runtime keeps the handlers that were installed when it started. Like the other variables below
// it isn't exported, so a build with this file needs -ldflags=-checklinkname=0.
//
//go:linkname fwdSig runtime.fwdSig
var fwdSig [65]uintptr

// initSigmask is the signal mask that retry was started with. The runtime has unblocked some of these signals since.
//
//go:linkname initSigmask runtime.initSigmask
var initSigmask [2]uint32

// sigtable says what the runtime does on a signal to which nobody has subscribed.
//
//go:linkname sigtable runtime.sigtable
var sigtable [65]struct {
	flags int32
	name  string
}

// init makes signals that arrive before anything has subscribed to them end retry, which is their default action. Go's
// runtime would print a stack trace for some and drop the others.
func init() {
	const notify, kill = 1, 2 // _SigNotify, _SigKill
	for _, number := range [...]syscall.Signal{
		syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGSYS, syscall.SIGSTKFLT, syscall.SIGUSR1,
		syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGVTALRM, syscall.SIGIO, syscall.SIGPWR, syscall.SIGXCPU,
	} {
		sigtable[number].flags = notify | kill
	}
}

// Notify subscribes to signals. signal.Notify would have a thread of the runtime unblock each of them, which takes two
// turns of the scheduler. Notify skips that for a signal that was not blocked at the start and has had the runtime's
// handler ever since.
func Notify(to chan<- os.Signal, signals ...os.Signal) {
	const notify = 1 // _SigNotify
	var kept []syscall.Signal
	for _, s := range signals {
		number := s.(syscall.Signal)
		if flags := &sigtable[number].flags; *flags&notify != 0 && !blockedAtStart(number) && handled(number) {
			*flags &^= notify
			kept = append(kept, number)
		}
	}
	signal.Notify(to, signals...)
	for _, number := range kept {
		sigtable[number].flags |= notify
	}
}

// handled reports whether the runtime installed its own handler for a signal when it started. It doesn't for SIGHUP and
// SIGINT if they are ignored.
func handled(number syscall.Signal) bool {
	const ignore = 1 // SIG_IGN
	const leave = 16 // _SigDefault
	if flags := sigtable[number].flags; flags == 0 || flags&leave != 0 {
		return false
	}
	return number != syscall.SIGHUP && number != syscall.SIGINT || fwdSig[number] != ignore
}

// blockedAtStart reports whether retry was started with the signal blocked.
func blockedAtStart(number syscall.Signal) bool {
	bit := uint(number) - 1
	return initSigmask[bit/32]&(1<<(bit%32)) != 0
}

// WithInheritedMask calls fork under the signal mask that retry was started with, so that the command inherits it.
func WithInheritedMask(fork func()) {
	if initSigmask == [2]uint32{} {
		fork()
		return
	}
	var own [2]uint32
	setMask(&initSigmask, &own)
	fork()
	setMask(&own, nil)
}

func setMask(mask, old *[2]uint32) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK,
		uintptr(unsafe.Pointer(mask)), uintptr(unsafe.Pointer(old)), unsafe.Sizeof(*mask), 0, 0)
}

// KeepIgnored ignores again, for retry and for the command, the signals that were ignored when retry was started and
// whose disposition Go's runtime has changed since. The exceptions are SIGCHLD, which retry needs, SIGURG, which the
// runtime needs, and the signals that stand for a program's own faults.
func KeepIgnored() {
	const ignore = 1 // SIG_IGN
	const leave = 16 // _SigDefault
	var ignored []os.Signal
	for i := 1; i < len(fwdSig); i++ {
		switch number := syscall.Signal(i); number {
		case syscall.SIGCHLD, syscall.SIGURG, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP:
		default:
			// The runtime doesn't change SIGCONT and its like until something subscribes to them.
			if fwdSig[i] == ignore || sigtable[i].flags&leave != 0 && handlerOf(number) == ignore {
				ignored = append(ignored, number)
			}
		}
	}
	if len(ignored) > 0 {
		signal.Ignore(ignored...)
	}
}

// handlerOf returns the address of a signal's current handler; 0 stands for the default action, 1 for ignored.
func handlerOf(number syscall.Signal) uintptr {
	var action struct {
		handler, flags, restorer uintptr
		mask                     [4]uint64
	}
	const maskSize = 8
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(number), 0, uintptr(unsafe.Pointer(&action)), maskSize, 0, 0)
	return action.handler
}
