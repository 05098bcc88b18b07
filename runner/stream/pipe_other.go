//go:build !linux

package stream

import "os"

// pipeCapacity is the capacity of a pipe in bytes.
const pipeCapacity = 64 << 10

// widen does nothing: these systems can't change the capacity of a pipe.
func widen(*os.File) {}
