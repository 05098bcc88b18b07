//go:build unix && !(linux && (amd64 || arm64))

package runner

import (
	"os"
	"syscall"
)

func noteSenders([]os.Signal) {}

// sentByProcess can't be known here, so a terminal's signal is never taken for another.
func sentByProcess(syscall.Signal) bool { return false }

func hasCome(syscall.Signal) bool { return false }
