package runner

import (
	"os"
	"slices"
	"sync/atomic"
	"time"

	"retry/policy"
)

// Holding is what becomes of an output stream.
type Holding int

// The ways to treat an output stream.
const (
	Live    Holding = iota // it is passed on as it comes
	Success                // only a successful last attempt's; a failed attempt's standard output goes to standard error
	Last                   // only the last attempt's
)

// Input is what the command reads.
type Input int

// The inputs.
const (
	Guarded Input = iota // retry's own, and no retry with an input that an attempt has used up
	Inherit              // retry's own, come what may
	Replay               // the same bytes for each attempt
	Nothing              // an empty one
)

// streams are the standard streams of a job. A stream that nobody looks at is the command's own, without a pipe.
type streams struct {
	input  input
	output [2]*relay // standard output and standard error; nil where inherited
	heard  *hearing  // nil where nothing is listened for
	idle   atomic.Int64
	broken chan error
}

// newStreams finds out which streams of the job need a relay.
func newStreams(job *Job) *streams {
	s := &streams{broken: make(chan error, 4)}
	s.input.mode = job.Stdin
	if !job.Listening.Nothing() {
		s.heard = &hearing{Hearing: policy.Hearing{Listening: job.Listening}}
	}
	for i, name := range []string{"standard output", "standard error"} {
		r := &relay{name: name, sink: Descriptor(i + 1)}
		for _, pattern := range job.Rules.Patterns() {
			if pattern.Source&(policy.Stdout<<i) != 0 {
				r.searches = append(r.searches, search{pattern: pattern})
			}
		}
		if s.heard != nil {
			r.listener = &listener{stream: i, hearing: s.heard}
		}
		if job.Hold[i] != Live {
			r.held = &spool{}
			r.sink = r.held
		}
		if len(job.Judge) > 0 && i == 0 {
			r.kept = &spool{}
		}
		if job.IdleTimeout > 0 {
			r.active = &s.idle
		}
		if r.held != nil || r.kept != nil || r.active != nil || len(r.searches) > 0 || r.listener != nil {
			s.output[i] = r
		}
	}
	return s
}

// piped reports whether retry has a hand in any stream, and so may find one broken.
func (s *streams) piped() bool {
	return s.output[0] != nil || s.output[1] != nil || s.input.mode == Replay
}

// relays are those there are.
func (s *streams) relays() []*relay {
	return slices.DeleteFunc(slices.Clone(s.output[:]), func(r *relay) bool { return r == nil })
}

// open makes the files that one attempt gets. close has to be called when the command has them or never will.
func (s *streams) open() (files [3]*os.File, close func(), err error) {
	files = [3]*os.File{os.Stdin, os.Stdout, os.Stderr}
	var own []*os.File
	close = func() {
		for _, file := range own {
			file.Close()
		}
	}
	file, err := s.input.open()
	if err != nil {
		return files, close, err
	}
	if file != nil {
		files[0] = file
		own = append(own, file)
	}
	for i, r := range s.output {
		if r == nil {
			continue
		}
		file, err := r.open()
		if err != nil {
			return files, close, err
		}
		files[i+1] = file
		own = append(own, file)
	}
	return files, close, nil
}

// idleLeft is how long the attempt may still print nothing.
func (s *streams) idleLeft(job *Job, now time.Duration) time.Duration {
	return job.IdleTimeout - (now - time.Duration(s.idle.Load()))
}

// start sets everything going, once the command has its files.
func (s *streams) start(now func() time.Duration) {
	s.idle.Store(int64(now()))
	s.input.start(s.broken)
	if s.heard != nil {
		s.heard.Reset()
	}
	for _, r := range s.relays() {
		go r.run(now, s.broken)
	}
}

// abandon closes retry's ends of pipes whose command was not started.
func (s *streams) abandon() {
	s.input.stop()
	for _, r := range s.relays() {
		if r.source != nil {
			r.source.Close()
		}
	}
}

// finish waits for the end of the output of a command that has exited, and adds to its outcome what that tells. Something in the background that still holds a
// stream delays it for a while only; so does a reader that doesn't read once retry has been told to stop.
func (s *streams) finish(stopped <-chan struct{}, o *policy.Outcome) (err error) {
	s.input.stop()
	relays := s.relays()
	for _, r := range relays {
		r.hurry()
	}
	for _, r := range relays {
		select {
		case <-r.done:
		case <-stopped:
			select {
			case <-r.done:
			case <-time.After(lingering):
				return nil
			}
		}
		for _, pattern := range r.matched() {
			if !slices.Contains(o.Matched, pattern) {
				o.Matched = append(o.Matched, pattern)
			}
		}
		if r.err != nil {
			err = r.err
		}
	}
	if s.heard != nil {
		heard := s.heard.Heard()
		o.Heard = &heard
	}
	select {
	case err = <-s.broken: // a spool of the input
	default:
	}
	return err
}

// settle gives up the held output of a failed attempt.
func (s *streams) settle(job *Job) error {
	if job.Hold[0] == Success {
		return s.output[0].release(Descriptor(2))
	}
	return nil
}

// renew makes room for another attempt: what the last one left held is not the final output.
func (s *streams) renew(job *Job) error {
	for i, r := range s.output {
		if r != nil && r.kept != nil {
			r.kept.clear()
		}
		switch {
		case r == nil || r.held == nil:
		case job.Hold[i] == Success:
			if err := r.release(Descriptor(2)); err != nil {
				return err
			}
		default:
			r.held.clear()
		}
	}
	return nil
}

// deliver writes out what is held at the end. Standard output that only a success may write goes to standard error
// where a streak of successes was not long enough.
func (s *streams) deliver(job *Job, success bool) error {
	for i, r := range s.output {
		if r == nil || r.held == nil {
			continue
		}
		to := Descriptor(i + 1)
		if job.Hold[i] == Success && !success {
			to = Descriptor(2)
		}
		if err := r.release(to); err != nil {
			return err
		}
	}
	return nil
}

// release moves held output to a descriptor. That standard error can't be written to matters to nobody.
func (r *relay) release(to Descriptor) error {
	if err := r.held.moveTo(to); err != nil && to != Descriptor(2) {
		return &streamError{r.name, err}
	}
	return nil
}
