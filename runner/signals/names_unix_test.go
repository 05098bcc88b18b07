//go:build unix

package signals

import (
	"syscall"
	"testing"
)

func TestByName(t *testing.T) {
	for name, want := range map[string]syscall.Signal{
		"TERM": syscall.SIGTERM, "sigterm": syscall.SIGTERM, "15": syscall.SIGTERM, "hup": syscall.SIGHUP, "1": syscall.SIGHUP,
		"0": 0, "-1": 0, "65": 0, "": 0, "SIG": 0, "NOPE": 0, "SIGSIGTERM": 0,
	} {
		got, found := ByName(name)
		if found != (want != 0) || found && got != Describe(want) {
			t.Errorf("%q: %v, %t; want %v", name, got, found, Describe(want))
		}
	}
	if got, found := ByName("64"); got.Number != 64 || !found {
		t.Errorf("64: %v, %t", got, found)
	}
}

func TestDescribe(t *testing.T) {
	for number, want := range map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", 50: "signal 50"} {
		if got := Describe(number); got.Name != want || got.Number != int(number) {
			t.Errorf("%d: %+v, want %s", number, got, want)
		}
	}
}
