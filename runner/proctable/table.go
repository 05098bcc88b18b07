//go:build unix

package proctable

// Entry is one process of the table.
type Entry struct {
	Parent, Group int
	Session       int   // 0 if the system does not tell
	Started       int64 // when; tells it from an earlier process of the same number
}
