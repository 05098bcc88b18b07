//go:build !linux

package process

// canBlock is false because no system call waits for any child and leaves it to be reaped under the mutex. The channel
// children reports every exit instead.
const canBlock = false

func blockUntilExit() {}

// stopped returns false: on these systems retry doesn't stop when its command does.
func stopped(int) bool { return false }
