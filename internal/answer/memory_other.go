//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package answer

import "math"

// availableMemory is not known here.
func availableMemory() int64 { return math.MaxInt64 }
