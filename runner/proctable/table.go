//go:build unix

package proctable

// Entry is a process in the table.
type Entry struct {
	Parent, Group int
	Session       int   // 0 if the system doesn't tell
	Started       int64 // start time, which distinguishes the process from an earlier one with the same ID; the unit depends on the system
}
