package process

import "retry/runner/proctable"

// inhabited reports whether a process that isn't a zombie is in a group. A signal to a group of nothing but zombies is
// EPERM on macOS, as one to another user's processes is.
func inhabited(group int) bool {
	for _, entry := range proctable.Read() {
		if entry.Group == group {
			return true
		}
	}
	return false
}
