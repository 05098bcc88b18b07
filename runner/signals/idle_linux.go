//go:build exactsignals

package signals

import (
	"math"
	_ "unsafe" // for go:linkname
)

// forceGCPeriod is how long Go's runtime goes without a garbage collection. Its monitor wakes twice in that time, through
// a whole night of waiting.
//
//go:linkname forceGCPeriod runtime.forcegcperiod
var forceGCPeriod int64

// init has a retry that waits sleep undisturbed. Memory that grows is still collected.
func init() { forceGCPeriod = math.MaxInt64 }
