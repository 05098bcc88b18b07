//go:build unix && !linux && !darwin && (!freebsd || 386 || arm)

package proctable

// Known is false: Read doesn't find processes that have left their group.
const Known = false

// KnowsChildren is false: Bystanders and HasChildren know nothing about the children of retry.
const KnowsChildren = false

// Adopts returns false: orphans go to PID 1.
func Adopts() bool { return false }

// Adopt does nothing.
func Adopt() {}

// Bystanders returns nil.
func Bystanders() map[int]int64 { return nil }

// Usable returns true.
func Usable() bool { return true }

// HasChildren returns false.
func HasChildren() bool { return false }

// Orphans returns nil.
func Orphans() []int { return nil }

// Read returns nil. The layout of the kernel's table changes from release to release, and only the system's own library
// knows it. So a timeout reaches the process group or, on a terminal, where the command is in retry's own group, only
// the command.
func Read() map[int]Entry { return nil }

// HasToken returns false.
func HasToken(int, string) bool { return false }
