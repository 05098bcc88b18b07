//go:build unix && !(linux && exactsignals)

package signals

import "runtime"

// Pin locks the calling goroutine to its thread.
func Pin() { runtime.LockOSThread() }
