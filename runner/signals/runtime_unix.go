//go:build unix && !(linux && exactsignals)

package signals

import "runtime"

// Pin keeps the calling goroutine on its thread.
func Pin() { runtime.LockOSThread() }
