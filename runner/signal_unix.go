//go:build unix

package runner

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// SignalByName finds a signal by its name, with or without SIG in front, in any case, or by its number.
func SignalByName(name string) (policy.Signal, bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return describe(syscall.Signal(number)), number > 0 && number < 65
	}
	name = strings.ToUpper(name)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	number := unix.SignalNum(name)
	return describe(number), number != 0
}
