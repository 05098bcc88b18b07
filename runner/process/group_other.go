//go:build unix && !darwin

package process

// inhabited returns true: a signal to a process or a group fails with EPERM only if it is another user's.
func inhabited(int) bool { return true }
