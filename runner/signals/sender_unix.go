//go:build unix && !(linux && (amd64 || arm64))

package signals

import (
	"os"
	"syscall"
)

// NoteSenders does nothing: here nobody can tell who sent a signal.
func NoteSenders([]os.Signal) {}

// SentByProcess returns false, so that a signal that may be from the terminal is always taken to be from there.
func SentByProcess(syscall.Signal) bool { return false }

// HasCome returns false.
func HasCome(syscall.Signal) bool { return false }
