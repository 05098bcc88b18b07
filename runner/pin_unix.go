//go:build unix && !(linux && exactsignals)

package runner

import "runtime"

// pin keeps the calling goroutine on its thread.
func pin() { runtime.LockOSThread() }
