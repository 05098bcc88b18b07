//go:build !linux

package stream

import "os"

// pipeCapacity is what a pipe may hold.
const pipeCapacity = 64 << 10

func widen(*os.File) {}
