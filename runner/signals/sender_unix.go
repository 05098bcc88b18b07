//go:build unix && !(linux && (amd64 || arm64))

package signals

import (
	"os"
	"syscall"
)

func NoteSenders([]os.Signal) {}

// SentByProcess can't be known here, so a terminal's signal is never taken for another.
func SentByProcess(syscall.Signal) bool { return false }

func HasCome(syscall.Signal) bool { return false }
