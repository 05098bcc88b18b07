//go:build unix && !linux && !darwin

package runner

const adopts = false

func bystanders() map[int]struct{} { return nil }

// processTable is empty: the layout of the kernel's table differs from release to release and is only known to the
// system's own library. What a timeout reaches is the group.
func processTable() map[int]processEntry { return nil }

func hasToken(int, string) bool { return false }
