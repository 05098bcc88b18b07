//go:build unix

package stream

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
)

// input is the command's standard input.
type input struct {
	mode   runner.Input
	kind   uint32 // the file type of retry's own input
	origin int64  // the offset of a regular file before the attempt
	used   bool   // an attempt has had the regular file
	guard  guard  // of a pipe or a socket
	final  bool   // no second attempt follows, so the input needs no guard

	spool    spool // of a replayed input
	complete bool  // the spool has all of it
	cancel   [2]*os.File
	feeding  *os.File
	done     chan struct{}
}

// open prepares the input for an attempt. It returns no file if the command inherits retry's own.
func (in *input) open() (*os.File, error) {
	if in.mode == runner.Nothing {
		return os.Open(os.DevNull)
	}
	if in.kind == 0 {
		var info unix.Stat_t
		if unix.Fstat(0, &info) == nil {
			in.kind = uint32(info.Mode) & unix.S_IFMT
		}
	}
	switch {
	case in.kind == unix.S_IFREG:
		if in.mode == runner.Replay && in.used {
			in.rewind() // Settle rewinds after a failure, but not after a success within a streak
		}
		in.origin, _ = unix.Seek(0, 0, io.SeekCurrent)
		in.used = true
		return nil, nil
	case in.mode == runner.Replay:
		return in.openReplay()
	case in.guarded():
		in.guard.socket = in.kind == unix.S_IFSOCK
		in.guard.begin()
	}
	return nil, nil
}

// guarded reports whether a second attempt could find part of the input missing.
func (in *input) guarded() bool {
	return in.mode == runner.Guarded && !in.final && (in.kind == unix.S_IFIFO || in.kind == unix.S_IFSOCK)
}

// spent returns whether the attempt has consumed input that can't be given to the next one.
func (in *input) spent() policy.Spent {
	if !in.guarded() {
		return policy.Unspent
	}
	return in.guard.spent()
}

// rewind sets a regular file back to where it was before the attempt.
func (in *input) rewind() {
	if in.kind == unix.S_IFREG {
		_, _ = unix.Seek(0, in.origin, io.SeekStart)
	}
}

// openReplay returns the command's end of a replayed input: a new descriptor of the spool if that is complete and a
// file, or else a pipe to be fed.
func (in *input) openReplay() (*os.File, error) {
	if in.complete && in.spool.file != nil {
		if file, err := reopen(in.spool.file); err == nil {
			return file, nil
		}
	}
	command, feeding, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	if in.cancel[0] == nil {
		if in.cancel[0], in.cancel[1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	widen(feeding)
	in.feeding = feeding
	return command, nil
}

// stop stops feeding an attempt that is over.
func (in *input) stop() {
	if in.feeding == nil {
		return
	}
	if in.done != nil {
		_ = in.feeding.SetWriteDeadline(time.Unix(0, 1))
		token := []byte{0}
		n, _ := in.cancel[1].Write(token)
		<-in.done
		_, _ = in.cancel[0].Read(token[:n]) // it would block if nothing was written
	}
	in.feeding.Close()
	in.feeding, in.done = nil, nil
}

// fetch reads the next block of the input and spools it. It returns 0 at the end of the input, and when the attempt is over.
func (in *input) fetch(block []byte) (int, error) {
	for {
		canceled := false
		control(in.cancel[0], func(descriptor int) {
			ready := []unix.PollFd{{Fd: 0, Events: unix.POLLIN}, {Fd: int32(descriptor), Events: unix.POLLIN}}
			for look(ready, -1) == unix.EINTR { // look, because poll(2) does not support terminals on macOS
			}
			canceled = ready[1].Revents != 0
		})
		if canceled {
			return 0, nil
		}
		n, err := syscall.Read(0, block)
		switch {
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN): // another process has been faster
			continue
		case err != nil:
			return 0, err
		case n == 0:
			in.complete = true
			return 0, nil
		}
		_, err = in.spool.Write(block[:n])
		if err != nil {
			return 0, err
		}
		return n, nil
	}
}
