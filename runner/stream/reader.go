package stream

import "retry/policy"

// reader has a stream read for what it tells of a failure.
type reader struct {
	stream    int
	diagnoser *policy.Diagnoser
}

// Scan takes the next block of the stream.
func (r *reader) Scan(block []byte) { r.diagnoser.Write(r.stream, block) }

// Reset and End do nothing: the diagnoser begins anew with each attempt, and reads the end of a stream when it is asked.
func (r *reader) Reset() {}
func (r *reader) End()   {}
