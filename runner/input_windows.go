package runner

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// input is the command's standard input.
type input struct {
	mode   Input
	known  bool
	kind   uint32 // the file type of retry's own input
	origin int64  // where a regular file was before the attempt
	fresh  bool   // a pipe had data, or somebody to write some, before the attempt

	spool    spool // of a replayed input
	complete bool  // all of it is there
	fetched  chan fetched
	fetching bool // somebody reads retry's own input
	feeding  *os.File
	cancel   chan struct{}
	done     chan struct{}
}

// fetched is one read of retry's own input.
type fetched struct {
	block []byte
	err   error
}

// open prepares the input for an attempt. The file is nil where the command inherits retry's own.
func (in *input) open() (*os.File, error) {
	if in.mode == Nothing {
		return os.Open(os.DevNull)
	}
	if !in.known {
		in.kind, _ = windows.GetFileType(windows.Stdin)
		in.known = true
	}
	switch {
	case in.kind == windows.FILE_TYPE_DISK:
		if in.mode == Replay && in.fresh {
			in.rewind() // a success before the last of a streak has read it
		}
		in.origin, _ = windows.Seek(windows.Stdin, 0, io.SeekCurrent)
		in.fresh = true
	case in.mode == Replay:
		return in.openReplay()
	case in.mode == Guarded && in.kind == windows.FILE_TYPE_PIPE:
		data, writer := in.look()
		in.fresh = data || writer
	}
	return nil, nil
}

// look finds out without reading whether the input has data, and whether somebody may still write some. A read by
// something in the background keeps it from finding out: then there may be both.
func (in *input) look() (data, writer bool) {
	type state struct{ data, writer bool }
	seen := make(chan state, 1)
	go func() {
		n, err := waiting(windows.Stdin)
		seen <- state{n > 0, !errors.Is(err, windows.ERROR_BROKEN_PIPE)}
	}()
	select {
	case s := <-seen:
		return s.data, s.writer
	case <-time.After(lingering):
		return true, true
	}
}

// spent reports whether the attempt has used up an input that the next one can't have again.
func (in *input) spent() bool {
	if in.mode != Guarded || in.kind != windows.FILE_TYPE_PIPE || !in.fresh {
		return false
	}
	data, writer := in.look()
	return !data && !writer
}

// rewind sets a regular file back to where it was before the attempt.
func (in *input) rewind() {
	if in.kind == windows.FILE_TYPE_DISK && in.mode != Nothing {
		_, _ = windows.Seek(windows.Stdin, in.origin, io.SeekStart)
	}
}

// openReplay makes the pipe by which the command is fed a replayed input.
func (in *input) openReplay() (*os.File, error) {
	command, feeding, err := pipeTo()
	if err != nil {
		return nil, err
	}
	in.feeding = feeding
	return command, nil
}

// start begins to feed.
func (in *input) start(broken chan<- error) {
	if in.feeding == nil {
		return
	}
	in.cancel, in.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(in.done)
		if err := in.feed(); err != nil {
			broken <- &streamError{"standard input", err}
			return // and leave the pipe open: its end would look like the end of the input
		}
		in.feeding.Close()
	}()
}

// stop ends the feeding of an attempt that is over.
func (in *input) stop() {
	if in.feeding == nil {
		return
	}
	if in.done != nil {
		_ = in.feeding.SetWriteDeadline(time.Unix(0, 1))
		close(in.cancel)
		<-in.done
	}
	in.feeding.Close()
	in.feeding, in.done = nil, nil
}

// feed writes what has been spooled and then what comes, until the input ends or the command reads no more.
func (in *input) feed() error {
	block := make([]byte, relayBlock)
	for offset := int64(0); ; {
		n, err := in.spool.ReadAt(block, offset)
		if n == 0 {
			if err != nil && err != io.EOF {
				return err
			}
			more, err := in.fetch()
			if !more {
				return err
			}
			continue
		}
		if _, err := in.feeding.Write(block[:n]); err != nil {
			return nil
		}
		offset += int64(n)
	}
}

// fetch spools the next of the input. There is no more at the end and when the attempt is over. A read that an attempt has
// begun can't be taken back, and is left to the next.
func (in *input) fetch() (more bool, err error) {
	if in.complete {
		return false, nil
	}
	if !in.fetching {
		if in.fetched == nil {
			in.fetched = make(chan fetched, 1)
		}
		in.fetching = true
		go func() {
			block := make([]byte, relayBlock)
			n, err := os.Stdin.Read(block)
			in.fetched <- fetched{block[:n], err}
		}()
	}
	select {
	case <-in.cancel:
		return false, nil
	case got := <-in.fetched:
		in.fetching = false
		in.complete = got.err == io.EOF
		if got.err != nil && !in.complete {
			return false, got.err
		}
		_, err := in.spool.Write(got.block)
		return err == nil && !in.complete, err
	}
}
