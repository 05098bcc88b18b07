package stream

import "io"

// start starts to feed a replayed input to the command.
func (in *input) start(broken chan<- error) {
	if in.feeding == nil {
		return
	}
	in.done = make(chan struct{})
	go func() {
		defer close(in.done)
		if err := in.feed(); err != nil {
			broken <- &streamError{"standard input", err}
			return // leaving the pipe open: closing it would look like the end of the input
		}
		in.feeding.Close()
	}()
}

// feed writes what has been spooled and then what arrives, until the input ends or the command stops reading. Its error
// is retry's own: a failure to read or to spool the input.
func (in *input) feed() error {
	block := make([]byte, relayBlock)
	for offset := int64(0); ; {
		n, err := in.spool.ReadAt(block, offset)
		if n == 0 {
			if err != nil && err != io.EOF {
				return err
			}
			if in.complete {
				return nil
			}
			if n, err = in.fetch(block); n == 0 {
				return err
			}
		}
		if _, err := in.feeding.Write(block[:n]); err != nil {
			return nil
		}
		offset += int64(n)
	}
}
