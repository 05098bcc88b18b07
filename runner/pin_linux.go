//go:build exactsignals

package runner

import _ "unsafe" // for go:linkname

// pin keeps the calling goroutine on its thread. The exported runtime.LockOSThread does so too, and starts another
// thread, as one to fork threads from should something change this one's state. Nothing does, and the thread would be a
// fiftieth of a short call.
//
//go:linkname pin runtime.lockOSThread
func pin()
