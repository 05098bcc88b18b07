//go:build unix

package signals

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// signals is one more than the greatest number of a signal.
const signals = 65

// ByName finds a signal by its name, with or without SIG in front, in any case, or by its number.
func ByName(name string) (policy.Signal, bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return Describe(syscall.Signal(number)), number > 0 && number < signals
	}
	name = strings.ToUpper(name)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	for number := syscall.Signal(1); number < signals; number++ { // unix.SignalNum makes a map of all first
		if unix.SignalName(number) == name {
			return Describe(number), true
		}
	}
	return policy.Signal{}, false
}

// Describe names a signal.
func Describe(number syscall.Signal) policy.Signal {
	name := unix.SignalName(number)
	if name == "" {
		name = "signal " + strconv.Itoa(int(number))
	}
	return policy.Signal{Number: int(number), Name: name}
}
