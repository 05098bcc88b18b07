package stream

import (
	"errors"
	"io"
	"os"
	"time"

	"retry/runner"

	"golang.org/x/sys/windows"
)

// input is the command's standard input.
type input struct {
	mode   runner.Input
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
	if in.mode == runner.Nothing {
		return os.Open(os.DevNull)
	}
	if !in.known {
		in.kind, _ = windows.GetFileType(windows.Stdin)
		in.known = true
	}
	switch {
	case in.kind == windows.FILE_TYPE_DISK:
		if in.mode == runner.Replay && in.fresh {
			in.rewind() // a success before the last of a streak has read it
		}
		in.origin, _ = windows.Seek(windows.Stdin, 0, io.SeekCurrent)
		in.fresh = true
	case in.mode == runner.Replay:
		return in.openReplay()
	case in.mode == runner.Guarded && in.kind == windows.FILE_TYPE_PIPE:
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
	case <-time.After(Lingering):
		return true, true
	}
}

// spent reports whether the attempt has used up an input that the next one can't have again.
func (in *input) spent() bool {
	if in.mode != runner.Guarded || in.kind != windows.FILE_TYPE_PIPE || !in.fresh {
		return false
	}
	data, writer := in.look()
	return !data && !writer
}

// rewind sets a regular file back to where it was before the attempt.
func (in *input) rewind() {
	if in.kind == windows.FILE_TYPE_DISK && in.mode != runner.Nothing {
		_, _ = windows.Seek(windows.Stdin, in.origin, io.SeekStart)
	}
}

// openReplay makes the pipe by which the command is fed a replayed input.
func (in *input) openReplay() (*os.File, error) {
	command, feeding, err := pipeTo()
	if err != nil {
		return nil, err
	}
	in.feeding, in.cancel = feeding, make(chan struct{})
	return command, nil
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

// fetch reads the next of the input and spools it. It is empty at the end and when the attempt is over. A read that an
// attempt has begun can't be taken back, and is left to the next.
func (in *input) fetch(block []byte) (int, error) {
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
		return 0, nil
	case got := <-in.fetched:
		in.fetching = false
		if in.complete = got.err == io.EOF; in.complete {
			return 0, nil
		}
		if got.err != nil {
			return 0, got.err
		}
		if _, err := in.spool.Write(got.block); err != nil {
			return 0, err
		}
		return copy(block, got.block), nil
	}
}
