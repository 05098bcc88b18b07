//go:build exactsignals

package signals

import (
	"math"
	_ "unsafe" // for go:linkname
)

// Pin keeps the calling goroutine on its thread. The exported runtime.LockOSThread also starts another thread, to fork
// further threads from should the pinned one change its state. Nothing here does, and that thread would take a fiftieth
// of the time of a short call.
//
//go:linkname Pin runtime.lockOSThread
func Pin()

// forceGCPeriod is how long Go's runtime goes without a garbage collection. Its monitor thread wakes up twice in that
// time, even through a whole night of waiting.
//
//go:linkname forceGCPeriod runtime.forcegcperiod
var forceGCPeriod int64

// init lets a waiting retry sleep undisturbed. Memory that grows is still collected.
func init() { forceGCPeriod = math.MaxInt64 }
