//go:build unix && !linux

package runner

func bystanders() map[int]struct{} { return nil }

// strays are none: there is no process table to read without the system's own library, so only the group is known.
func (s *System) strays(*process) []int { return nil }
