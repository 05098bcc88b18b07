//go:build !linux

package stream

import "os"

// pipeCapacity is how many bytes a pipe holds.
const pipeCapacity = 64 << 10

// widen does nothing: this system can't change the capacity of a pipe.
func widen(*os.File) {}
