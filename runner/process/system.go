package process

import (
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/signals"
	"retry/runner/stream"
)

// System is the [runner.Executor] of the operating system. Only System starts processes, waits for them, and kills
// them.
//
// One goroutine, which calls Execute, starts processes and waits for them. Another one handles the signals sent to
// retry. Both use the current process only while they hold the mutex, so that a signal finds either no process or one
// that has not been reaped.
type System struct {
	// Aside calls do while no countdown is on the terminal. It is nil if there never is one.
	Aside func(do func())

	native // what is different on each system

	job      *runner.Job
	clock    clock
	environ  []string // what every command inherits
	streams  *stream.Streams
	rewinder *stream.Rewinder
	warnings []string       // those not yet returned by Warnings
	children chan os.Signal // receives when a child may have ended

	mu        sync.Mutex
	current   *process      // nil between attempts
	noting    bool          // without a job, the first signal that tells retry to end is only recorded
	interrupt policy.Signal // the last signal that told retry to end
	stopped   chan struct{} // closed by the first signal that told retry to end
	outside   chan struct{} // closed by the first such signal that did not come from the terminal
}

// task is one command to run: an attempt, or a command that decides about one.
type task struct {
	runner.Attempt
	command []string
	environ []string // in addition to System.environ
	files   [3]*os.File
	streams *stream.Streams // nil for a command that decides about an attempt
}

var kill = policy.Signal{Number: int(syscall.SIGKILL), Name: "SIGKILL"}

func newSystem() *System {
	return &System{
		clock:    newClock(),
		children: make(chan os.Signal, 1),
		stopped:  make(chan struct{}),
		outside:  make(chan struct{}),
	}
}

// OwnLines returns a writer for retry's own lines on standard error. It starts each on a fresh line, as far as retry
// knows whether the command has left an incomplete one.
func (s *System) OwnLines(to io.Writer) io.Writer { return ownLines{to, s} }

type ownLines struct {
	io.Writer
	system *System
}

func (o ownLines) Write(line []byte) (int, error) {
	whole := line
	if o.system.streams != nil {
		whole = o.system.streams.OnFreshLine(line)
	}
	n, err := o.Writer.Write(whole)
	return max(0, n-len(whole)+len(line)), err
}

// Interrupted returns the last signal that told retry to end, or the zero Signal.
func (s *System) Interrupted() policy.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupt
}

// NoteInterrupts makes the first signal that tells retry to end available from Interrupted, even if there is no job.
// Without a job, the next one ends retry.
func (s *System) NoteInterrupts() {
	s.subscribed()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noting = true
}

// stop records a signal that tells retry to end. Without a job there is nothing to clean up, and retry ends at once.
// The caller holds the mutex.
func (s *System) stop(by syscall.Signal) {
	if s.job == nil && !(s.noting && s.interrupt.Number == 0) {
		die(signals.Describe(by))
	}
	s.interrupt = signals.Describe(by)
	closeOnce(s.stopped)
	s.expire()
}

// expire ends retry after a while if it has been told to end and no command is running: it is then blocked in a write
// to a stream that nobody reads. While held output is still being written, it waits longer. The caller holds the mutex.
func (s *System) expire() {
	if s.interrupt.Number == 0 || s.current != nil || s.job == nil {
		return
	}
	delivered := s.streams.Delivered()
	time.AfterFunc(stream.Lingering, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.streams.Delivered() == delivered {
			die(s.interrupt)
		}
		s.expire()
	})
}

// die ends retry by a signal. It can be called from any goroutine. Process 1 can't be killed by its own signal and
// exits with the status that a shell would report.
func die(by policy.Signal) {
	signals.Die(by)
	os.Exit(policy.StatusSignalOffset + by.Number)
}

func closeOnce(c chan struct{}) {
	if !isClosed(c) {
		close(c)
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Warnings returns the warnings since its last call.
func (s *System) Warnings() []string {
	warnings := s.warnings
	s.warnings = nil
	return warnings
}

// Elapsed returns the time since Listen was called.
func (s *System) Elapsed() time.Duration { return s.clock.elapsed() }

// Execute makes one attempt.
func (s *System) Execute(a runner.Attempt) (policy.Outcome, error) {
	began := time.Now()
	outcome, err := s.execute(a)
	outcome.Duration = time.Since(began)
	return outcome, err
}

func (s *System) execute(a runner.Attempt) (policy.Outcome, error) {
	if err := s.streams.Renew(); err != nil {
		return policy.Outcome{}, s.ownFailure(err)
	}
	s.rewinder.Note()
	files, closeFiles, err := s.streams.Open()
	if err != nil {
		closeFiles()
		s.streams.Abandon()
		return policy.Outcome{}, err
	}
	f := s.newFollower(task{
		Attempt: a, command: s.job.Command, environ: attemptEnvironment(s.job, a), files: files, streams: s.streams,
	})
	p, outcome := s.start(f.task)
	closeFiles()
	if p == nil {
		s.streams.Abandon()
		return outcome, nil
	}
	f.process = p
	s.streams.Start(s.clock.elapsed)
	end, err := f.follow()
	broken := s.streams.Finish(s.stopped, &outcome)
	if err == nil {
		err = s.ownFailure(broken)
	}
	ended, lost := s.leave(p, end)
	if err == nil {
		err = lost
	}
	ended.Matched, ended.Diagnosis, ended.Spent = outcome.Matched, outcome.Diagnosis, s.streams.Spent()
	return ended, err
}

// Consult runs a command that decides about an attempt. The command's output goes to standard error.
func (s *System) Consult(q runner.Question) (policy.Outcome, error) {
	input, feed, err := s.streams.OpenQuestion(q)
	if err != nil {
		return policy.Outcome{}, err
	}
	f := s.newFollower(task{
		Attempt: q.Attempt, command: q.Command, environ: questionEnvironment(s.job, q),
		files: [3]*os.File{input, os.Stderr, os.Stderr},
	})
	p, outcome := s.start(f.task)
	input.Close()
	stop := feed()
	defer stop()
	if p == nil {
		return outcome, nil
	}
	f.process = p
	end, err := f.follow()
	if err != nil {
		return policy.Outcome{}, err
	}
	return s.leave(p, end)
}

// Settle rewinds the input and the files of a failed attempt, and writes out held output where it is due.
func (s *System) Settle(success bool) error {
	if success {
		return nil
	}
	s.warnings = append(s.warnings, s.rewinder.Rewind()...)
	return s.streams.Settle()
}

// Finish writes out the output that is still held.
func (s *System) Finish(success bool) error { return s.ownFailure(s.streams.Deliver(success)) }
