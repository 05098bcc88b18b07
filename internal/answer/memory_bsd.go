//go:build darwin || freebsd || netbsd || openbsd

package answer

import (
	"math"

	"golang.org/x/sys/unix"
)

// availableMemory returns the number of bytes of memory that the machine has.
func availableMemory() int64 {
	for _, name := range []string{"hw.memsize", "hw.physmem64", "hw.physmem"} {
		if bytes, err := unix.SysctlUint64(name); err == nil {
			return int64(min(bytes, math.MaxInt64))
		}
	}
	return math.MaxInt64
}
