package process

import "retry/runner/proctable"

// inhabited reports whether a process that isn't a zombie is in a group. On macOS, a signal to a group of zombies fails
// with EPERM, as does one to another user's processes.
func inhabited(group int) bool {
	for _, entry := range proctable.Read() {
		if entry.Group == group {
			return true
		}
	}
	return false
}
