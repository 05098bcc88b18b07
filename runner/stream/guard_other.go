//go:build unix && !linux

package stream

// fionread is the ioctl that returns how many bytes can be read. It has the same number on all these systems.
const fionread = 0x4004667f

// watch does nothing: these systems don't report reads.
type watch struct{}

func (watch) begin()             {}
func (watch) seen() bool         { return false }
func (watch) complete(bool) bool { return false }

// takenFromTCP returns false: these systems don't tell how many bytes have been received.
func takenFromTCP() (taken uint64, counted bool) { return 0, false }

// peekPipe returns nil: these systems can't show what is queued in a pipe.
func peekPipe(int) []byte { return nil }
