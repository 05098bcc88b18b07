//go:build amd64 || arm64

package signals

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestSender sends a signal in every way that a process can. The tests with a real terminal cover signals from the terminal.
func TestSender(t *testing.T) {
	const ignored, noted = syscall.SIGUSR2, syscall.SIGUSR1
	signal.Ignore(ignored)
	defer signal.Reset(ignored)
	came := make(chan os.Signal, 1)
	defer signal.Ignore(noted)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for name, send := range map[string]func() error{
		"kill":   func() error { return syscall.Kill(os.Getpid(), noted) },
		"tgkill": func() error { return unix.Tgkill(os.Getpid(), unix.Gettid(), noted) },
		"sigqueue": func() error {
			const queue = -1 // SI_QUEUE
			info := [32]int32{int32(noted), 0, queue}
			_, _, errno := syscall.Syscall(unix.SYS_RT_SIGQUEUEINFO, uintptr(os.Getpid()), uintptr(noted), uintptr(unsafe.Pointer(&info)))
			if errno != 0 {
				return errno
			}
			return nil
		},
	} {
		signal.Ignore(noted) // otherwise the handler of the last round stays
		signal.Notify(came, noted)
		goHandler = 0
		if HasCome(noted) {
			t.Errorf("%s: it has come before anybody notes it", name)
		}
		NoteSenders([]os.Signal{ignored, noted})
		if HasCome(noted) || SentByProcess(noted) {
			t.Errorf("%s: it has come, or was sent, before it was sent", name)
		}
		if err := send(); err != nil {
			t.Fatal(err)
		}
		<-came
		if !HasCome(noted) || !SentByProcess(noted) {
			t.Errorf("%s: it has come: %t, from a process: %t", name, HasCome(noted), SentByProcess(noted))
		}
	}
	if err := syscall.Kill(os.Getpid(), ignored); err != nil {
		t.Fatal(err)
	}
}
