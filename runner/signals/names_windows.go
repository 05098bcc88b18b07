package signals

import (
	"strconv"
	"strings"
	"syscall"

	"retry/policy"
)

// signals are the signals that retry has on Windows, with their numbers in Microsoft's C runtime. The command gets
// CTRL_BREAK for each of them except SIGKILL.
var signals = []policy.Signal{
	{Number: 2, Name: "SIGINT"}, {Number: 9, Name: "SIGKILL"}, {Number: 15, Name: "SIGTERM"}, {Number: 21, Name: "SIGBREAK"},
}

// ByName returns the signal with a number or name. The name may be in either case, and with or without the prefix SIG.
func ByName(name string) (policy.Signal, bool) {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	for _, signal := range signals {
		if signal.Name == "SIG"+name || strconv.Itoa(signal.Number) == name {
			return signal, true
		}
	}
	return policy.Signal{}, false
}

// Describe returns the signal with a number, or the zero Signal if there is none.
func Describe(number syscall.Signal) policy.Signal {
	signal, _ := ByName(strconv.Itoa(int(number)))
	return signal
}
