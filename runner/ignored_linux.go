//go:build exactsignals

package runner

import (
	"os"
	"os/signal"
	"syscall"
	_ "unsafe" // for go:linkname
)

// fwdSig is where Go's runtime keeps the handlers it found. It is not exported, so that a build with this file needs
// -ldflags=-checklinkname=0.
//
//go:linkname fwdSig runtime.fwdSig
var fwdSig [65]uintptr

// keepIgnored restores what Go's runtime changed of the dispositions that retry was started with: what was ignored is
// ignored again, in retry and in the command. Left alone are CHLD, which retry lives by, URG, which the runtime does,
// and the faults of a program itself.
func keepIgnored() {
	const ignore = 1 // SIG_IGN
	var ignored []os.Signal
	for i := 1; i < len(fwdSig); i++ {
		switch number := syscall.Signal(i); number {
		case syscall.SIGCHLD, syscall.SIGURG, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP:
		default:
			if fwdSig[i] == ignore {
				ignored = append(ignored, number)
			}
		}
	}
	if len(ignored) > 0 {
		signal.Ignore(ignored...)
	}
}
