package signals

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"

	"retry/policy"
)

// signals are those that mean something here, by the numbers that Microsoft's C runtime gives them. All but KILL are a
// CTRL_BREAK to a command.
var signals = []policy.Signal{
	{Number: 2, Name: "SIGINT"}, {Number: 9, Name: "SIGKILL"}, {Number: 15, Name: "SIGTERM"}, {Number: 21, Name: "SIGBREAK"},
}

// ByName finds a signal by its name, with or without SIG in front, in any case, or by its number.
func ByName(name string) (policy.Signal, bool) {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	for _, signal := range signals {
		if signal.Name == "SIG"+name || strconv.Itoa(signal.Number) == name {
			return signal, true
		}
	}
	return policy.Signal{}, false
}

// Describe names a signal.
func Describe(number syscall.Signal) policy.Signal {
	signal, _ := ByName(strconv.Itoa(int(number)))
	return signal
}

// Die ends this process with the status that stands for a signal: Windows has no death by one.
func Die(by policy.Signal) { windows.ExitProcess(uint32(policy.StatusSignalOffset + by.Number)) }
