package stream

import "retry/policy"

// reader passes a stream to the diagnoser.
type reader struct {
	stream    int
	diagnoser *policy.Diagnoser
}

// Scan passes on the next block.
func (r *reader) Scan(block []byte) { r.diagnoser.Write(r.stream, block) }

// Reset and End do nothing: Start resets the diagnoser, and Diagnosis includes an incomplete last line.
func (r *reader) Reset() {}
func (r *reader) End()   {}
