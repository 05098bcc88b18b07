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
	// relayBlock is how much is read at once.
	relayBlock = 128 << 10
	// Lingering is how long a background child that holds a stream can hold retry after the command's exit.
	Lingering = time.Second
)

// relay carries one output stream of the command. It passes every byte on as it comes, and looks at what it has passed
// on.
type relay struct {
	name     string // in error messages
	sink     io.Writer
	held     *spool // the sink, if output is held
	kept     *spool // a copy for --judge
	place    *place // where what the sink gets shows; nil if that doesn't matter
	searches []search
	reader   scanner // nil if nobody wants to know what the stream tells
	block    []byte
	active   *atomic.Int64 // when something was last printed, in nanoseconds since the start

	terminal *terminal // what the command writes to, where that is no pipe
	source   *os.File  // the pipe otherwise

	// Of the attempt.
	now      func() time.Duration
	broken   chan<- error // is told at once when the stream can't go on
	scanners []scanner
	unpassed []byte // what has come through the terminal and waits for its turn
	done     chan struct{}
	err      error // why output could not be passed on; valid once done is closed
}

// search is a search for a pattern in one stream.
type search struct {
	pattern *policy.Pattern
	matcher *scan.Matcher // made when the first stream starts
}

// searchesIn returns a search for each of the patterns that is looked for in a stream.
func searchesIn(stream policy.Source, patterns []*policy.Pattern) (searches []search) {
	for _, pattern := range patterns {
		if pattern.Source&stream != 0 {
			searches = append(searches, search{pattern: pattern})
		}
	}
	return searches
}

// watched reports whether anything looks at the stream.
func (r *relay) watched() bool {
	return r.held != nil || r.kept != nil || r.active != nil || len(r.searches) > 0 || r.reader != nil
}

// open makes the pipe or the pseudo-terminal for one attempt and returns the command's end of it. close has to be
// called once the command has that.
func (r *relay) open() (command *os.File, close func(), err error) {
	r.done, r.err = make(chan struct{}), nil
	if r.block == nil {
		r.block = make([]byte, relayBlock)
	}
	if r.terminal != nil {
		if command, err = r.terminal.open(); err == nil || r.terminal.wanted {
			return command, func() {}, err
		}
		r.terminal = nil // as where there is no /dev/ptmx
	}
	if r.source, command, err = pipeFrom(); err != nil {
		return nil, nil, err
	}
	widen(r.source)
	return command, func() { command.Close() }, nil
}

// abandon closes retry's end, if the command could not be started.
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

// begin makes what looks at the stream ready for another one.
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

// end says that nothing more comes.
func (r *relay) end() {
	for _, s := range r.scanners {
		s.End()
	}
}

// A scanner reads a stream that has been passed on.
type scanner interface {
	Reset()
	Scan(block []byte)
	End()
}

// compiled returns the searches and the reader. It compiles them the first time, which takes a while, but the command
// already runs by then.
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

// fail reports that the stream can't be carried on.
func (r *relay) fail(what string, err error) {
	r.err = &streamError{what, err}
	r.broken <- r.err
}

// pass writes a block on, and then scans it. It reports whether the stream can go on.
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

// drain passes on what is in the pipe when time is up, and waits for no more.
func (r *relay) drain() {
	for left := pipeCapacity; left > 0; {
		n := readNow(r.source, r.block)
		if n <= 0 || !r.pass(r.block[:n]) {
			return
		}
		left -= n
	}
}

// ends waits for the end of the stream, but not for long once retry has been told to end: its own reader may not read. It
// reports whether the stream has ended.
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

// hurry gives the stream Lingering to end.
func (r *relay) hurry() { _ = r.source.SetReadDeadline(time.Now().Add(Lingering)) }

// matched returns the patterns that were found in a stream that has ended.
func (r *relay) matched() []*policy.Pattern {
	var found []*policy.Pattern
	for _, s := range r.searches {
		if s.matcher != nil && s.matcher.Matched() {
			found = append(found, s.pattern)
		}
	}
	return found
}

// streamError is a failure of retry's own to carry a stream, as opposed to a failure of the command.
type streamError struct {
	stream string
	err    error
}

func (e *streamError) Error() string { return e.stream + ": " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }
