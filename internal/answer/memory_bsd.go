//go:build darwin || freebsd || netbsd || openbsd

package answer

import (
	"math"

	"golang.org/x/sys/unix"
)

// availableMemory is how many bytes the machine has.
func availableMemory() int64 {
	for _, name := range []string{"hw.memsize", "hw.physmem64", "hw.physmem"} {
		if bytes, err := unix.SysctlUint64(name); err == nil {
			return int64(min(bytes, math.MaxInt64))
		}
	}
	return math.MaxInt64
}
