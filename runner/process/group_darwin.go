package process

import "retry/runner/proctable"

// inhabited reports whether the target of a signal, a process or minus the number of a group, is or has a process that isn't
// a zombie. On macOS, a signal to a group of zombies fails with EPERM, as does one to another user's processes.
func inhabited(target int) bool {
	if target > 0 {
		return true
	}
	for _, entry := range proctable.Read() {
		if entry.Group == -target {
			return true
		}
	}
	return false
}
