//go:build unix && !darwin

package process

// inhabited returns true: a signal to a group is EPERM only if there are processes of another user's in it.
func inhabited(int) bool { return true }
