package stream

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"retry/policy"
	"retry/runner/scan"
)

const (
	// relayBlock is the most bytes read at once.
	relayBlock = 128 << 10
	// Lingering is how long a background process that keeps a stream open can delay retry after the command has exited.
	Lingering = time.Second
)

// relay carries one output stream of the command. It passes on each block as it comes, and scans it afterwards.
type relay struct {
	name     string // in error messages
	sink     io.Writer
	held     *spool // the sink, if output is held
	kept     *spool // a copy for --judge
	place    *place // keeps track of what the sink writes to standard error; nil if nothing does
	searches []search
	reader   scanner // for the diagnosis; nil without one
	block    []byte
	active   *atomic.Int64 // when something was last printed, in nanoseconds since the start

	terminal *terminal // what the command writes to, unless it is a pipe
	source   *os.File  // the pipe otherwise

	// The state of one attempt.
	now      func() time.Duration
	broken   chan<- error // receives an error as soon as the stream can't go on
	scanners []scanner
	unpassed []byte // output of the terminal that waits for its turn
	ahead    bool   // more was read than had been reported: reports of it can be late or missing, until nothing is left to read
	done     chan struct{}
	err      error // why output could not be passed on; valid once done is closed
}

// search is a search for a pattern in one stream.
type search struct {
	pattern *policy.Pattern
	matcher *scan.Matcher // compiled when the first attempt has started
}

// searchesIn returns a search for each pattern that applies to a stream.
func searchesIn(stream policy.Source, patterns []*policy.Pattern) (searches []search) {
	for _, pattern := range patterns {
		if pattern.Source&stream != 0 {
			searches = append(searches, search{pattern: pattern})
		}
	}
	return searches
}

// watched reports whether retry needs to see the stream.
func (r *relay) watched() bool {
	return r.held != nil || r.kept != nil || r.active != nil || len(r.searches) > 0 || r.reader != nil
}

// open makes the pipe or the pseudo-terminal for one attempt and returns the command's end of it. close must be called
// once the command has that.
func (r *relay) open() (command *os.File, close func(), err error) {
	r.done, r.err = make(chan struct{}), nil
	if r.block == nil {
		r.block = make([]byte, relayBlock)
	}
	if r.terminal != nil {
		if command, err = r.terminal.open(); err == nil || r.terminal.wanted {
			return command, func() {}, err
		}
		r.terminal = nil // there is no pseudo-terminal left, or no /dev/ptmx
	}
	if r.source, command, err = pipeFrom(); err != nil {
		return nil, nil, err
	}
	widen(r.source)
	return command, func() { command.Close() }, nil
}

// abandon closes retry's end after the command could not be started.
func (r *relay) abandon() {
	switch {
	case r.terminal != nil:
		r.terminal.close()
	case r.source != nil:
		r.source.Close()
	}
}

// run carries a pipe to its end.
func (r *relay) run() {
	defer close(r.done)
	defer r.source.Close()
	if !r.begin() {
		return
	}
	for {
		n, err := r.source.Read(r.block)
		if n > 0 && !r.pass(r.block[:n]) {
			return
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			r.drain()
			err = io.EOF
		}
		if err != nil {
			break
		}
	}
	r.end()
}

// begin prepares the scanners for a new stream. It reports whether the stream can go on.
func (r *relay) begin() bool {
	var err error
	if r.scanners, err = r.compiled(); err != nil {
		r.fail(r.name, err)
		return false
	}
	for _, s := range r.scanners {
		s.Reset()
	}
	return true
}

// end tells the scanners that the stream has ended.
func (r *relay) end() {
	for _, s := range r.scanners {
		s.End()
	}
}

// A scanner examines a stream after it has been passed on.
type scanner interface {
	Reset()
	Scan(block []byte)
	End()
}

// compiled returns the stream's scanners. The first call compiles the patterns, which takes a while, but the command is
// running by then.
func (r *relay) compiled() (all []scanner, err error) {
	room := scan.Room(2 * max(1, len(r.searches))) // the other stream may have as many
	for i := range r.searches {
		s := &r.searches[i]
		if s.matcher == nil {
			if s.matcher, err = scan.New(s.pattern.Expression, room); err != nil {
				return nil, err
			}
		}
		all = append(all, s.matcher)
	}
	if r.reader != nil {
		all = append(all, r.reader)
	}
	return all, nil
}

// fail reports that the stream can't go on.
func (r *relay) fail(what string, err error) {
	r.err = &streamError{what, err}
	r.broken <- r.err
}

// pass passes a block on and then scans it. It reports whether the stream can go on.
func (r *relay) pass(block []byte) bool {
	if r.active != nil {
		r.active.Store(int64(r.now()))
	}
	if _, err := r.sink.Write(block); err != nil {
		if r.name != "standard error" || r.held != nil {
			r.fail(r.name, err)
			return false
		}
		r.sink = io.Discard // nobody reads it any more, which is no reason to end the command
	}
	if r.held == nil {
		r.place.note(block)
	}
	if r.kept != nil {
		if _, err := r.kept.Write(block); err != nil {
			r.fail("the copy of "+r.name+" for --judge", err)
			return false
		}
	}
	for _, s := range r.scanners {
		s.Scan(block)
	}
	return true
}

// drain passes on what is left in the pipe when time is up, without waiting for more.
func (r *relay) drain() {
	for left := pipeCapacity; left > 0; {
		n := readNow(r.source, r.block)
		if n <= 0 || !r.pass(r.block[:n]) {
			return
		}
		left -= n
	}
}

// ends waits for the end of the stream, but only for Lingering once retry has been told to end, because whoever reads
// retry's output may have stopped reading. It reports whether the stream has ended.
func (r *relay) ends(stopped <-chan struct{}) bool {
	select {
	case <-r.done:
		return true
	case <-stopped:
	}
	select {
	case <-r.done:
		return true
	case <-time.After(Lingering):
		return false
	}
}

// hurry ends the stream after Lingering if it has not ended by itself.
func (r *relay) hurry() { _ = r.source.SetReadDeadline(time.Now().Add(Lingering)) }

// matched returns the patterns that were found. The stream must have ended.
func (r *relay) matched() []*policy.Pattern {
	var found []*policy.Pattern
	for _, s := range r.searches {
		if s.matcher != nil && s.matcher.Matched() {
			found = append(found, s.pattern)
		}
	}
	return found
}

// streamError is retry's own failure to carry a stream, as opposed to a failure of the command.
type streamError struct {
	stream string
	err    error
}

func (e *streamError) Error() string { return e.stream + ": " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }
