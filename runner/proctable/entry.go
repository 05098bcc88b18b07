//go:build unix

package proctable

// Entry is what the process table says of one process.
type Entry struct {
	Parent, Group int
	Started       int64 // tells it from an earlier one of the same number
}
