package stream

import (
	"os"
	"slices"
	"sync/atomic"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// Streams are the standard streams of a job. A stream that nobody looks at is the command's own, without a pipe.
type Streams struct {
	job    *runner.Job
	input  input
	output [2]*relay // standard output and standard error; nil where inherited
	heard  *hearing  // nil where nothing is listened for
	idle   atomic.Int64
	// carriers carry those of the outputs that are pseudo-terminals.
	carriers []*carrier
	Broken   chan error
}

// New finds out which streams of the job need a relay.
func New(job *runner.Job) *Streams {
	s := &Streams{job: job, Broken: make(chan error, 4)}
	s.input.mode = job.Stdin
	if !job.Listening.Nothing() {
		s.heard = &hearing{Hearing: policy.Hearing{Listening: job.Listening}}
	}
	for i, name := range []string{"standard output", "standard error"} {
		r := &relay{name: name, sink: console.Descriptor(i + 1)}
		for _, pattern := range job.Rules.Patterns() {
			if pattern.Source&(policy.Stdout<<i) != 0 {
				r.searches = append(r.searches, search{pattern: pattern})
			}
		}
		if s.heard != nil {
			r.listener = &listener{stream: i, hearing: s.heard}
		}
		if job.Hold[i] != runner.Live {
			r.held = &spool{}
			r.sink = r.held
		}
		if len(job.Judge) > 0 && i == 0 {
			r.kept = &spool{}
		}
		if job.IdleTimeout > 0 {
			r.active = &s.idle
		}
		watched := r.held != nil || r.kept != nil || r.active != nil || len(r.searches) > 0 || r.listener != nil
		if r.held == nil {
			r.terminal = newTerminal(job.TTY, i+1, watched)
		}
		if watched || r.terminal != nil {
			s.output[i] = r
		}
	}
	return s
}

// Piped reports whether retry has a hand in any stream, and so may find one broken.
func (s *Streams) Piped() bool {
	return s.output[0] != nil || s.output[1] != nil || s.input.mode == runner.Replay
}

// relays are those there are.
func (s *Streams) relays() []*relay {
	return slices.DeleteFunc(slices.Clone(s.output[:]), func(r *relay) bool { return r == nil })
}

// Open makes the files that one attempt gets. close has to be called when the command has them or never will.
func (s *Streams) Open() (files [3]*os.File, close func(), err error) {
	files = [3]*os.File{os.Stdin, os.Stdout, os.Stderr}
	var closers []func()
	close = func() {
		for _, closer := range closers {
			closer()
		}
	}
	file, err := s.input.open()
	if err != nil {
		return files, close, err
	}
	if file != nil {
		files[0] = file
		closers = append(closers, func() { file.Close() })
	}
	for i, r := range s.output {
		if r == nil {
			continue
		}
		file, closer, err := r.open()
		if err != nil {
			return files, close, err
		}
		files[i+1] = file
		closers = append(closers, closer)
	}
	if s.carriers == nil {
		s.carriers, err = newCarriers(s.relays())
	}
	return files, close, err
}

// IdleLeft is how long the attempt may still print nothing.
func (s *Streams) IdleLeft(now time.Duration) time.Duration {
	return s.job.IdleTimeout - (now - time.Duration(s.idle.Load()))
}

// Printed starts the idle timeout anew.
func (s *Streams) Printed(now time.Duration) { s.idle.Store(int64(now)) }

// Start sets everything going, once the command has its files.
func (s *Streams) Start(now func() time.Duration) {
	s.Printed(now())
	s.input.start(s.Broken)
	if s.heard != nil {
		s.heard.Reset()
	}
	for _, r := range s.relays() {
		if r.now, r.broken = now, s.Broken; r.terminal == nil {
			go r.run()
		}
	}
	for _, c := range s.carriers {
		c.start()
	}
}

// Abandon closes retry's ends of pipes whose command was not started.
func (s *Streams) Abandon() {
	s.input.stop()
	for _, r := range s.relays() {
		r.abandon()
	}
}

// Finish waits for the end of the output of a command that has exited, and adds to its outcome what that tells. Something in the background that still holds a
// stream delays it for a while only; so does a reader that doesn't read once retry has been told to stop.
func (s *Streams) Finish(stopped <-chan struct{}, o *policy.Outcome) (err error) {
	s.input.stop()
	relays := s.relays()
	for _, r := range relays {
		if r.terminal == nil {
			r.hurry()
		}
	}
	for _, c := range s.carriers {
		c.hurry()
	}
	for _, r := range relays {
		select {
		case <-r.done:
		case <-stopped:
			select {
			case <-r.done:
			case <-time.After(Lingering):
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
	case err = <-s.Broken: // a spool of the input
	default:
	}
	return err
}

// Spent reports whether the attempt has used up an input that the next one can't have again.
func (s *Streams) Spent() bool { return s.input.spent() }

// Settle sets the input of a failed attempt back, and gives up its held output.
func (s *Streams) Settle() error {
	s.input.rewind()
	if s.job.Hold[0] == runner.Success {
		return s.output[0].release(console.Descriptor(2))
	}
	return nil
}

// Renew makes room for another attempt: what the last one left held is not the final output.
func (s *Streams) Renew() error {
	for i, r := range s.output {
		if r != nil && r.kept != nil {
			r.kept.clear()
		}
		switch {
		case r == nil || r.held == nil:
		case s.job.Hold[i] == runner.Success:
			if err := r.release(console.Descriptor(2)); err != nil {
				return err
			}
		default:
			r.held.clear()
		}
	}
	return nil
}

// Deliver writes out what is held at the end. Standard output that only a success may write goes to standard error
// where a streak of successes was not long enough.
func (s *Streams) Deliver(success bool) error {
	for i, r := range s.output {
		if r == nil || r.held == nil {
			continue
		}
		to := console.Descriptor(i + 1)
		if s.job.Hold[i] == runner.Success && !success {
			to = console.Descriptor(2)
		}
		if err := r.release(to); err != nil {
			return err
		}
	}
	return nil
}

// release moves held output to a descriptor. That standard error can't be written to matters to nobody.
func (r *relay) release(to console.Descriptor) error {
	if err := r.held.moveTo(to); err != nil && to != console.Descriptor(2) {
		return &streamError{r.name, err}
	}
	return nil
}
