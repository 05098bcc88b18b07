//go:build exactsignals

package signals

import (
	"math"
	_ "unsafe" // for go:linkname
)

// Pin locks the calling goroutine to its thread. runtime.LockOSThread also starts a template thread, from which threads
// are created in case the locked one has changed its state. That never happens here, and starting the thread would take
// a fiftieth of the time of a short call.
//
//go:linkname Pin runtime.lockOSThread
func Pin()

// forceGCPeriod is the longest time, in nanoseconds, between two garbage collections. Because of it, the runtime's
// monitor thread wakes up twice in that time, even if retry waits all night.
//
//go:linkname forceGCPeriod runtime.forcegcperiod
var forceGCPeriod int64

// init lets a waiting retry sleep undisturbed. Garbage collections still start when the heap grows.
func init() { forceGCPeriod = math.MaxInt64 }
