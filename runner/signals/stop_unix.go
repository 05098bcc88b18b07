//go:build unix && !linux

package signals

import "syscall"

// CanStop says that Stop is not to be had: Go's runtime keeps its handler.
const CanStop = false

// Stop does nothing.
func Stop(syscall.Signal) {}
