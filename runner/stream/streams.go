package stream

import (
	"io"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// Streams are the standard streams of all attempts of a job. Where the job asks nothing of a stream, the command gets
// retry's own descriptor, without a pipe.
//
// For each attempt, Renew drops what an earlier one left, Open makes the files, Start sets everything going once the
// command has them, and Finish waits for the end of the output. If the attempt failed, Settle follows. Deliver ends the run.
type Streams struct {
	// Broken receives an error when a stream can't go on.
	Broken chan error

	job       *runner.Job
	input     input
	output    [2]*relay         // standard output and standard error; nil if inherited
	diagnoser *policy.Diagnoser // nil if nothing is to be diagnosed
	idle      atomic.Int64      // when the command last printed something, in nanoseconds since the start
	carriers  []*carrier        // of the outputs that are pseudo-terminals
	delivered atomic.Int64      // how many bytes of held output have been written out
	place     *place            // of standard error; nil if the command writes there directly
}

// New returns the streams of a job, with a relay for each output that retry has to carry.
func New(job *runner.Job) *Streams {
	s := &Streams{job: job, Broken: make(chan error, 4)}
	s.input.mode, s.input.final = job.Stdin, job.MaxAttempts == 1 && job.ResetAfter == 0 || job.Disabled
	if !job.Diagnostics.Nothing() {
		s.diagnoser = &policy.Diagnoser{Diagnostics: job.Diagnostics}
	}
	for i := range s.output {
		if r := s.newRelay(i); r.watched() || r.terminal != nil {
			s.output[i] = r
		}
	}
	s.placeRelays()
	return s
}

// newRelay returns a relay for output i, set up for the job: 0 is standard output, 1 standard error.
func (s *Streams) newRelay(i int) *relay {
	r := &relay{
		name:     [...]string{"standard output", "standard error"}[i],
		sink:     console.Descriptor(i + 1),
		searches: searchesIn(policy.Stdout<<i, s.job.Rules.Patterns()),
	}
	if s.diagnoser != nil {
		r.reader = &reader{i, s.diagnoser}
	}
	if s.job.Hold[i] != runner.Live {
		r.held = &spool{}
		r.sink = r.held
	}
	if i == 0 && len(s.job.Judge) > 0 {
		r.kept = &spool{}
	}
	if s.job.IdleTimeout > 0 {
		r.active = &s.idle
	}
	if r.held == nil {
		r.terminal = newTerminal(s.job.TTY, i+1, r.watched())
	}
	return r
}

// Piped reports whether retry carries any stream, so that Broken can receive an error.
func (s *Streams) Piped() bool {
	return s.output[0] != nil || s.output[1] != nil || s.input.mode == runner.Replay
}

// relays returns the relays that exist.
func (s *Streams) relays() []*relay {
	return slices.DeleteFunc(slices.Clone(s.output[:]), func(r *relay) bool { return r == nil })
}

// Open makes the files for one attempt. close must be called once the command has them, and also after an error.
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
	s.carriers = slices.DeleteFunc(s.carriers, func(c *carrier) bool { return !c.prepare() })
	return files, close, err
}

// IdleLeft returns how much longer the attempt may print nothing. It is 0 or less once the idle timeout has expired.
func (s *Streams) IdleLeft(now time.Duration) time.Duration {
	return s.job.IdleTimeout - (now - time.Duration(s.idle.Load()))
}

// Printed restarts the idle timeout.
func (s *Streams) Printed(now time.Duration) { s.idle.Store(int64(now)) }

// Start sets everything going, once the command has its files. now returns the time since the start of the run.
func (s *Streams) Start(now func() time.Duration) {
	s.Printed(now())
	s.input.start(s.Broken)
	if s.diagnoser != nil {
		s.diagnoser.Reset()
	}
	for _, r := range s.relays() {
		if r.now, r.broken = now, s.Broken; r.terminal == nil {
			go r.run()
		}
	}
	for _, c := range s.carriers {
		go c.run()
	}
}

// Abandon closes retry's ends of the streams after the command could not be started.
func (s *Streams) Abandon() {
	s.input.stop()
	for _, c := range s.carriers {
		c.abandon()
	}
	for _, r := range s.relays() {
		r.abandon()
	}
}

// Finish waits for the end of the output of a command that has exited, and adds what was found in it to the outcome. A
// background process that keeps a stream open delays it for Lingering at most. So does a reader that doesn't read, once
// retry has been told to end.
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
		if !r.ends(stopped) {
			return nil
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
	for _, c := range s.carriers {
		c.settle()
	}
	if s.diagnoser != nil {
		diagnosis := s.diagnoser.Diagnosis(time.Now())
		o.Diagnosis = &diagnosis
	}
	select {
	case err = <-s.Broken: // of the input, for example
	default:
	}
	return err
}

// Spent returns whether the attempt has consumed input that can't be given to the next one.
func (s *Streams) Spent() policy.Spent { return s.input.spent() }

// Settle rewinds the input of a failed attempt. If only a success may write to standard output, it writes the attempt's
// held output to standard error.
func (s *Streams) Settle() error {
	s.input.rewind()
	if s.job.Hold[0] == runner.Success {
		return s.release(s.output[0], console.Descriptor(2))
	}
	return nil
}

// Renew drops the output of the last attempt that is still held, because another attempt follows. Under --hold-stdout
// success it goes to standard error.
func (s *Streams) Renew() error {
	for i, r := range s.output {
		if r != nil && r.kept != nil {
			r.kept.clear()
		}
		switch {
		case r == nil || r.held == nil:
		case s.job.Hold[i] == runner.Success:
			if err := s.release(r, console.Descriptor(2)); err != nil {
				return err
			}
		default:
			r.held.clear()
		}
	}
	return nil
}

// Deliver writes out the output that is still held at the end of the run. If the run failed, standard output that only
// a success may write goes to standard error: successes can have been too few in a row.
func (s *Streams) Deliver(success bool) error {
	for i, r := range s.output {
		if r == nil || r.held == nil {
			continue
		}
		to := console.Descriptor(i + 1)
		if s.job.Hold[i] == runner.Success && !success {
			to = console.Descriptor(2)
		}
		if err := s.release(r, to); err != nil {
			return err
		}
	}
	return nil
}

// Delivered returns how many bytes of held output have been written out.
func (s *Streams) Delivered() int64 { return s.delivered.Load() }

// release writes held output to a descriptor. It ignores write errors on standard error.
func (s *Streams) release(r *relay, to console.Descriptor) error {
	if to == console.Descriptor(2) || r.place != nil {
		s.place.note(r.held.end())
	}
	if err := r.held.moveTo(counter{to, &s.delivered}); err != nil && to != console.Descriptor(2) {
		return &streamError{r.name, err}
	}
	return nil
}

// counter counts the bytes that are written.
type counter struct {
	io.Writer
	written *atomic.Int64
}

func (c counter) Write(data []byte) (int, error) {
	n, err := c.Writer.Write(data)
	c.written.Add(int64(n))
	return n, err
}
