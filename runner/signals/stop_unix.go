//go:build unix && !linux

package signals

import "syscall"

// CanStop is false: Go's runtime keeps its handler.
const CanStop = false

// Stop does nothing.
func Stop(syscall.Signal) {}
