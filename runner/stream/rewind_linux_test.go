package stream

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A file that the system refuses to cut is left alone, with the system's reason.
func TestRewindRefused(t *testing.T) {
	descriptor, err := unix.MemfdCreate("log", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(descriptor), "log")
	defer file.Close()
	name := descriptorPath(descriptor)
	r := NewRewinder([]string{name})
	r.Note()
	write(t, file, "new")
	if _, err := unix.FcntlInt(uintptr(descriptor), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK); err != nil {
		t.Fatal(err)
	}
	want := "--rewind: " + name + " is left as it is: truncate " + name + ": operation not permitted"
	if warnings := r.Rewind(); len(warnings) != 1 || warnings[0] != want {
		t.Errorf("warnings: %q, want %q", warnings, want)
	}
}
