package stream

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/windows"

	"retry/policy"
	"retry/runner"
)

// input is the command's standard input.
type input struct {
	mode   runner.Input
	known  bool
	kind   uint32 // the file type of retry's own input
	origin int64  // the offset of a regular file before the attempt
	fresh  bool   // before the attempt the pipe had data or a writer; or an attempt has had the regular file
	final  bool   // no second attempt follows, so the input needs no guard

	spool    spool // of a replayed input
	complete bool  // the spool has all of it
	fetched  chan fetched
	fetching bool // a read of retry's own input is under way
	feeding  *os.File
	cancel   chan struct{}
	done     chan struct{}
}

// fetched is the result of one read of retry's own input.
type fetched struct {
	block []byte
	err   error
}

// open prepares the input for an attempt. It returns no file if the command inherits retry's own.
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
			in.rewind() // Settle rewinds after a failure, but not after a success within a streak
		}
		in.origin, _ = windows.Seek(windows.Stdin, 0, io.SeekCurrent)
		in.fresh = true
	case in.mode == runner.Replay:
		return in.openReplay()
	case in.mode == runner.Guarded && !in.final && in.kind == windows.FILE_TYPE_PIPE:
		data, writer := in.look()
		in.fresh = data || writer
	}
	return nil, nil
}

// look returns whether the pipe has data and whether it has a writer, without reading from it. While a background
// process reads from the same pipe, the query blocks; after Lingering, look assumes both.
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

// spent returns whether the attempt has consumed input that can't be given to the next one.
func (in *input) spent() policy.Spent {
	if in.mode != runner.Guarded || in.final || in.kind != windows.FILE_TYPE_PIPE || !in.fresh {
		return policy.Unspent
	}
	if data, writer := in.look(); data || writer {
		return policy.Unspent
	}
	return policy.Consumed
}

// rewind sets a regular file back to where it was before the attempt.
func (in *input) rewind() {
	if in.kind == windows.FILE_TYPE_DISK && in.mode != runner.Nothing {
		_, _ = windows.Seek(windows.Stdin, in.origin, io.SeekStart)
	}
}

// openReplay returns the command's end of a pipe through which the replayed input is fed.
func (in *input) openReplay() (*os.File, error) {
	command, feeding, err := pipeTo()
	if err != nil {
		return nil, err
	}
	in.feeding, in.cancel = feeding, make(chan struct{})
	return command, nil
}

// stop stops feeding an attempt that is over.
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

// fetch reads the next block of the input and spools it. It returns 0 at the end of the input, and when the attempt is
// over. A read can't be cancelled: if the attempt ends first, the next one gets its result.
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
