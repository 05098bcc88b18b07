//go:build !linux

package process

// canBlock is false because no system call waits for any child and leaves it to be reaped under the mutex. A channel
// reports every exit instead.
const canBlock = false

func blockUntilExit() {}

// stopped returns false: on this system retry doesn't stop after its command.
func stopped(int) bool { return false }
