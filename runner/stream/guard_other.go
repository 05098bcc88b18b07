//go:build unix && !linux

package stream

// fionread asks how many bytes can be read. All these systems have the same number for it.
const fionread = 0x4004667f

// watch is nothing: this system doesn't tell of reads.
type watch struct{}

func (watch) begin()             {}
func (watch) seen() bool         { return false }
func (watch) complete(bool) bool { return false }

// takenFromTCP tells nothing: this system doesn't count what has been received.
func takenFromTCP() (taken uint64, counted bool) { return 0, false }

// peekPipe returns nothing: this system can't show what is queued in a pipe.
func peekPipe(int) []byte { return nil }
