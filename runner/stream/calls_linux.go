//go:build !amd64

package stream

import "math"

// The system calls that are there on amd64 only.
const (
	sysPoll   = math.MaxUint32
	sysSelect = math.MaxUint32 - 1
)
