//go:build unix

package process

import (
	"errors"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/proctable"
	"retry/runner/signals"
	"retry/runner/stream"
)

// System is the Executor of Unix systems. It is the one owner of all forks, waits and kills.
//
// The goroutine that calls NewSystem forks and waits. A second one takes the signals. Whatever looks at or changes the
// current process happens under the mutex, so that a signal finds either no process or one that has not been reaped.
type System struct {
	job      *runner.Job
	clock    clock
	terminal terminal
	environ  []string
	streams  *stream.Streams

	signals   chan os.Signal
	listening chan struct{}  // closed once all signals are taken
	children  chan os.Signal // SIGCHLD, once it is subscribed to
	watching  sync.Once

	mu        sync.Mutex
	current   *process      // nil between attempts
	asleep    bool          // between two attempts, with nothing to do but wait
	interrupt policy.Signal // the last signal to end
	stopped   chan struct{} // closed by the first
	outside   chan struct{} // closed by the first that did not come from the terminal
	wake      chan struct{} // somebody wants the next attempt now
}

// process is the command of the current attempt.
type process struct {
	pid        int
	ownGroup   bool             // it leads a process group of its own
	bystanders map[int]struct{} // children of retry that are not this attempt's
	token      string           // an environment entry that only this attempt's processes have
	seen       map[int]int64    // processes known to be the attempt's, by their number and start
	exited     bool
	lost       bool // somebody else has taken its status
	status     syscall.WaitStatus
}

// Listen starts to take the signals, in the background: to subscribe to each costs two turns of Go's scheduler.
func Listen() *System {
	s := &System{
		clock:     newClock(),
		signals:   make(chan os.Signal, 16),
		listening: make(chan struct{}),
		children:  make(chan os.Signal, 1),
		stopped:   make(chan struct{}),
		outside:   make(chan struct{}),
		wake:      make(chan struct{}, 1),
	}
	go s.listen()
	return s
}

func (s *System) listen() {
	signals.KeepIgnored()
	s.subscribe(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	signals.NoteSenders(unignored(syscall.SIGINT, syscall.SIGQUIT))
	s.subscribe(syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH)
	close(s.listening)
	for received := range s.signals {
		s.take(received.(syscall.Signal))
	}
}

// subscribe asks for those of the signals that were not ignored when retry started. Those that were stay so, in retry
// and in the command.
func (s *System) subscribe(numbers ...os.Signal) {
	if numbers = unignored(numbers...); len(numbers) > 0 { // none would stand for all
		signals.Notify(s.signals, numbers...)
	}
}

func unignored(numbers ...os.Signal) []os.Signal { return slices.DeleteFunc(numbers, signal.Ignored) }

// Prepare makes the system ready to execute job. The calling goroutine stays on its thread from here on, because the
// parent-death signal of its children follows that thread; it must be the one that calls Execute.
func (s *System) Prepare(job *runner.Job) error {
	streams := stream.New(job)
	s.mu.Lock()
	s.job, s.streams = job, streams
	s.environ = inheritedEnvironment()
	s.terminal = controllingTerminal()
	s.mu.Unlock()
	if job.Sweep && !proctable.Known && s.terminal.present() {
		return errors.New("--sweep: on a terminal this system doesn't tell what a command has left")
	}
	proctable.Adopt()
	<-s.listening
	signals.Pin()
	if job.IdleTimeout > 0 {
		s.subscribe(syscall.SIGCONT)
	}
	return nil
}

// take handles one signal to retry.
func (s *System) take(received syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := false
	switch received {
	case syscall.SIGCONT:
		s.streams.Printed(s.clock.elapsed())
		return
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM:
		again = s.interrupt.Number != 0
		s.stop(received)
	}
	if received == syscall.SIGUSR1 && s.asleep {
		s.asleep = false
		s.wake <- struct{}{}
		return
	}
	if s.terminal.delivers(received) && !(again && signals.SentByProcess(received)) {
		return
	}
	if s.interrupt.Number == int(received) {
		closeOnce(s.outside)
	}
	if s.current != nil && !s.current.exited {
		_ = syscall.Kill(s.current.pid, received)
	}
}

// stop has retry end by a signal. If that doesn't happen soon between the attempts of a run, retry hangs in a write to a
// stream that nobody reads, and dies on the spot.
func (s *System) stop(by syscall.Signal) {
	s.interrupt = signals.Describe(by)
	closeOnce(s.stopped)
	if s.current == nil && s.job != nil {
		time.AfterFunc(stream.Lingering, func() { signals.Die(signals.Describe(by)) })
	}
}

// readerGone has retry end as the command would that wrote to a closed pipe.
func (s *System) readerGone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(syscall.SIGPIPE)
	closeOnce(s.outside)
	if s.current != nil && !s.current.exited {
		_ = syscall.Kill(s.current.pid, syscall.SIGPIPE)
	}
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

// Interrupted is the last signal by which retry was told to end.
func (s *System) Interrupted() policy.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupt
}

// Elapsed is the time since Listen.
func (s *System) Elapsed() time.Duration { return s.clock.elapsed() }

// Sleep waits, and meanwhile reaps what ends. A USR1 wakes it.
func (s *System) Sleep(d time.Duration) (woken bool) {
	if d <= 0 {
		if stream.ReaderHasGone() {
			s.readerGone()
		}
		return false
	}
	s.watchChildren()
	over, release := s.clock.after(d, s.job.Deadline > 0)
	defer release()
	gone, forget := stream.WatchReader()
	defer forget()
	s.setAsleep(true)
	defer s.setAsleep(false)
	for {
		select {
		case <-over:
			return false
		case <-gone:
			s.readerGone()
			return false
		case <-s.stopped:
			return false
		case <-s.wake:
			return true
		case <-s.children:
			s.reap()
		}
	}
}

// setAsleep says whether a USR1 is for the sleep. One that came at the very end of a sleep is over with it.
func (s *System) setAsleep(asleep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asleep = asleep
	select {
	case <-s.wake:
	default:
	}
}

// watchChildren subscribes to SIGCHLD. It is left until it is needed, because an attempt without a time limit is
// waited for by a plain system call, which is faster.
func (s *System) watchChildren() {
	s.watching.Do(func() { signals.Notify(s.children, syscall.SIGCHLD) })
	s.reap()
}

// reap collects every child that has ended, orphans that came to retry too.
func (s *System) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.ECHILD && s.current != nil && !s.current.exited {
			s.current.exited, s.current.lost = true, true
		}
		if err != nil || pid <= 0 {
			return
		}
		if s.current != nil && s.current.pid == pid {
			s.current.exited, s.current.status = true, status
		}
	}
}

// Execute runs the command once.
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
	ended.Matched, ended.Heard, ended.Spent = outcome.Matched, outcome.Heard, s.streams.Spent()
	return ended, err
}

func (s *System) newFollower(t task) *follower {
	f := &follower{system: s, task: t}
	if f.limited() {
		s.watchChildren()
	}
	return f
}

// leave is done with a process that has ended.
func (s *System) leave(p *process, end policy.End) (policy.Outcome, error) {
	s.awaitTerminal()
	s.mu.Lock()
	s.current = nil
	s.mu.Unlock()
	if p.lost {
		return policy.Outcome{}, errors.New("the command's exit status was lost")
	}
	return s.outcome(p, end), nil
}

// Consult runs a command that decides. What it prints goes to standard error.
func (s *System) Consult(q runner.Question) (policy.Outcome, error) {
	input, feed, err := s.streams.Answer(q)
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

// awaitTerminal waits for an INT or QUIT of the terminal that has come but not been taken yet: the command, which has
// got it too, may have ended by it before Go has passed it on.
func (s *System) awaitTerminal() {
	if !s.terminal.present() || !signals.HasCome(syscall.SIGINT) && !signals.HasCome(syscall.SIGQUIT) {
		return
	}
	select {
	case <-s.stopped:
	case <-time.After(stream.Lingering):
	}
}

// ownFailure is err, unless that only says that the reader of standard output has gone.
func (s *System) ownFailure(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		s.readerGone()
		return nil
	}
	return err
}

// Settle gives a failed attempt's input back and its held output up.
func (s *System) Settle(success bool) error {
	if success {
		return nil
	}
	return s.streams.Settle()
}

// Finish writes out what is still held.
func (s *System) Finish(success bool) error { return s.ownFailure(s.streams.Deliver(success)) }

// outcome describes a process that has ended.
func (s *System) outcome(p *process, end policy.End) policy.Outcome {
	o := policy.Outcome{End: end, Status: p.status.ExitStatus()}
	if p.status.Signaled() {
		o.Signal = signals.Describe(p.status.Signal())
		o.Status = policy.StatusSignalOffset + o.Signal.Number
	}
	switch {
	case end != policy.Exited:
		o.Status = policy.StatusTimeout
	case isClosed(s.outside):
		o.End, o.Signal = policy.Interrupted, s.Interrupted()
	case p.status.Signaled():
		o.End = policy.Killed
	}
	return o
}
