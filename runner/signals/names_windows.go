package signals

import (
	"strconv"
	"strings"
	"syscall"

	"retry/policy"
)

// signals are the signals that retry knows on Windows, with the numbers that Microsoft's C runtime gives them. To a
// command, all but SIGKILL are a CTRL_BREAK.
var signals = []policy.Signal{
	{Number: 2, Name: "SIGINT"}, {Number: 9, Name: "SIGKILL"}, {Number: 15, Name: "SIGTERM"}, {Number: 21, Name: "SIGBREAK"},
}

// ByName finds a signal by its number or by its name, in any case and with or without SIG in front.
func ByName(name string) (policy.Signal, bool) {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	for _, signal := range signals {
		if signal.Name == "SIG"+name || strconv.Itoa(signal.Number) == name {
			return signal, true
		}
	}
	return policy.Signal{}, false
}

// Describe returns a signal with its name.
func Describe(number syscall.Signal) policy.Signal {
	signal, _ := ByName(strconv.Itoa(int(number)))
	return signal
}
