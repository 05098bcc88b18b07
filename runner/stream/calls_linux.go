//go:build !amd64

package stream

import "math"

// Numbers that match no system call. arm64 and riscv64 have only ppoll and pselect6; 386 and arm also have poll and
// select, which retry doesn't recognize there.
const (
	sysPoll   = math.MaxUint32
	sysSelect = math.MaxUint32 - 1
)
