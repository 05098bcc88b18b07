//go:build unix && !(linux && (amd64 || arm64))

package signals

import (
	"os"
	"syscall"
)

// NoteSenders does nothing: this build can't tell who sent a signal.
func NoteSenders([]os.Signal) {}

// SentByProcess returns false, so that a signal that may be from the terminal is taken to be from it.
func SentByProcess(syscall.Signal) bool { return false }

// HasCome returns false.
func HasCome(syscall.Signal) bool { return false }
