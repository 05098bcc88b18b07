package stream

import (
	"io"
	"os"
	"time"

	"retry/runner"
)

// OpenQuestion opens the standard input of a command that decides about an attempt: the attempt's standard output, or
// an empty input. feed must be called once the command has the file, and stop once the command has ended.
func (s *Streams) OpenQuestion(q runner.Question) (input *os.File, feed func() (stop func()), err error) {
	if !q.Output || s.output[0] == nil {
		input, err = os.Open(os.DevNull)
		return input, func() func() { return func() {} }, err
	}
	input, feeding, err := pipeTo()
	if err != nil {
		return nil, nil, err
	}
	kept := s.output[0].kept
	return input, func() func() {
		fed := make(chan struct{})
		go func() {
			defer close(fed)
			_, _ = io.Copy(feeding, io.NewSectionReader(kept, 0, kept.size)) // the command need not read all of it
			feeding.Close()
		}()
		return func() {
			if feeding.SetWriteDeadline(time.Unix(0, 1)) == nil {
				<-fed
			}
		}
	}, nil
}
