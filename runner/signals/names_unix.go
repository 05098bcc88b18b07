//go:build unix

package signals

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// signals is one more than the highest signal number.
const signals = 65

// ByName returns the signal with a number or name. The name may be in either case, and with or without the prefix SIG.
func ByName(name string) (policy.Signal, bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return Describe(syscall.Signal(number)), number > 0 && number < signals
	}
	name = strings.ToUpper(name)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	for number := range syscall.Signal(signals) { // unix.SignalNum would first make a map of all signals
		if unix.SignalName(number) == name {
			return Describe(number), true
		}
	}
	return policy.Signal{}, false
}

// Describe returns the signal with a number.
func Describe(number syscall.Signal) policy.Signal {
	name := unix.SignalName(number)
	if name == "" {
		name = "signal " + strconv.Itoa(int(number))
	}
	return policy.Signal{Number: int(number), Name: name}
}
