//go:build exactsignals

package signals

import _ "unsafe" // for go:linkname

// Pin keeps the calling goroutine on its thread. The exported runtime.LockOSThread does so too, and starts another
// thread, as one to fork threads from should something change this one's state. Nothing does, and the thread would be a
// fiftieth of a short call.
//
//go:linkname Pin runtime.lockOSThread
func Pin()
