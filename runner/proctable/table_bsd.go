//go:build unix && !linux && !darwin && (!freebsd || 386 || arm)

package proctable

// Known is false: this system doesn't tell about processes that have left their group.
const Known = false

// KnowsChildren is false: Bystanders and HasChildren don't know the children of retry.
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

// Read returns nil. The layout of the kernel's table differs from release to release, and only the system's own library
// knows it. So a timeout reaches the process group or, on a terminal, where that is retry's own, the command alone.
func Read() map[int]Entry { return nil }

// HasToken returns false.
func HasToken(int, string) bool { return false }
