//go:build unix

package process

import (
	"errors"
	"fmt"
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

const (
	// spareThreads is how many threads retry creates for an attempt that it may have to end. With them it gets along even if
	// the attempt uses up all that the system has.
	spareThreads = 12
	// threadDelay is how long an attempt runs before that: a short command does not pay for it, and none uses up the
	// system's threads so soon.
	threadDelay = 3 * time.Millisecond
)

// native is what System has on Unix: the terminal, and signals. SIGUSR1 ends a sleep, so asleep and wake, which are
// under the mutex, tell whether there is one to end, and end it.
type native struct {
	terminal  terminal
	endings   chan os.Signal // the signals that end retry: no flood of others displaces one
	others    chan os.Signal // the signals that are only forwarded
	listening chan struct{}  // closed once the usual ones are subscribed to
	watching  sync.Once      // to SIGCHLD
	asleep    bool
	wake      chan struct{}
}

// Listen begins to take the signals to retry. It returns at once and subscribes in the background, because each
// subscription costs two turns of Go's scheduler.
func Listen() *System {
	s := newSystem()
	s.endings, s.others = make(chan os.Signal, 16), make(chan os.Signal, 64)
	s.listening, s.wake = make(chan struct{}), make(chan struct{}, 1)
	go s.listen()
	return s
}

func (s *System) listen() {
	signals.KeepIgnored()
	subscribe(s.endings, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	signals.NoteSenders(unignored(syscall.SIGINT, syscall.SIGQUIT))
	subscribe(s.others, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH)
	close(s.listening)
	subscribe(s.endings, signals.RareEndings()...)
	subscribe(s.others, signals.RareOthers()...)
	for {
		select {
		case received := <-s.endings:
			s.take(received.(syscall.Signal), true)
		case received := <-s.others:
			s.take(received.(syscall.Signal), false)
		}
	}
}

// subscribed waits until Listen takes the usual signals.
func (s *System) subscribed() { <-s.listening }

// subscribe subscribes to the signals, except for those that were ignored when retry started. They stay ignored, in
// retry and in the command.
func subscribe(to chan<- os.Signal, numbers ...os.Signal) {
	if numbers = unignored(numbers...); len(numbers) > 0 { // Notify takes an empty list for all signals
		signals.Notify(to, numbers...)
	}
}

func unignored(numbers ...os.Signal) []os.Signal { return slices.DeleteFunc(numbers, signal.Ignored) }

// Prepare makes the system ready to execute job. It locks the calling goroutine to its thread, because the children get
// their parent-death signal when the thread that forked them exits: Execute must be called from the same goroutine.
func (s *System) Prepare(job *runner.Job) error {
	streams := stream.New(job)
	if err := enoughFiles(streams); err != nil {
		return err
	}
	s.mu.Lock()
	s.job, s.streams = job, streams
	s.rewinder = stream.NewRewinder(job.Rewind)
	s.environ = inLocale(inheritedEnvironment(job.Trace != nil), job.Messages)
	s.terminal = controllingTerminal()
	s.mu.Unlock()
	if job.Sweep && !proctable.Known && s.terminal.present() {
		return errors.New("--sweep: on a terminal this system doesn't tell what a command has left")
	}
	proctable.Adopt()
	if (job.Timeout > 0 || job.Deadline > 0 || job.IdleTimeout > 0 || job.Sweep) && !proctable.Usable() {
		s.warnings = append(s.warnings, "without a usable /proc, processes that leave the process group of the command can't be ended")
	}
	s.subscribed()
	signals.Pin()
	if job.IdleTimeout > 0 {
		subscribe(s.others, syscall.SIGCONT)
	}
	if signals.CanStop && (streams.HasTerminals() || s.Aside != nil) {
		subscribe(s.others, syscall.SIGTSTP)
	}
	return nil
}

// enoughFiles returns an error if there can't be as many open files as it takes to carry streams: Go's runtime would end
// the program in the middle.
func enoughFiles(streams *stream.Streams) error {
	const needed = 20
	var limit syscall.Rlimit
	if streams.Piped() && syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < needed {
		return fmt.Errorf("only %d open files are allowed (ulimit -n); to carry the streams of a command, retry needs %d", limit.Cur, needed)
	}
	return nil
}

// take handles one signal to retry. ending says that it is one that tells retry to end.
func (s *System) take(received syscall.Signal, ending bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ending:
		s.stop(received)
	case s.job == nil:
		if received != syscall.SIGWINCH {
			die(signals.Describe(received)) // the default action, as long as there is no command to pass it on to
		}
		return
	case received == syscall.SIGCONT:
		s.streams.Printed(s.clock.elapsed())
		return
	case received == syscall.SIGUSR1 && s.asleep:
		s.asleep = false
		s.wake <- struct{}{}
		return
	case received == syscall.SIGWINCH:
		s.resize()
	case received == syscall.SIGTSTP:
		go s.suspend()
	}
	if s.terminal.delivers(received) && !signals.SentByProcess(received) {
		return
	}
	if ending {
		closeOnce(s.outside)
	}
	s.forward(received)
}

// forward passes a signal on to the command, if one runs. SIGINT and SIGQUIT go to the command's whole group if retry has
// created it, as they would from a terminal: a shell waits for the programs it runs, which would never get them otherwise.
// Everything else goes to the command alone, because SIGTERM asks a server to stop its workers its own way. The caller
// holds the mutex.
func (s *System) forward(number syscall.Signal) {
	p := s.current
	if p == nil || p.exited {
		return
	}
	to := p.pid
	if p.ownGroup && (number == syscall.SIGINT || number == syscall.SIGQUIT) {
		to = -p.pid
	}
	_ = syscall.Kill(to, number)
}

// ownFailure returns err, except for a write to a standard output that nobody reads any more: that ends retry as SIGPIPE
// would.
func (s *System) ownFailure(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		s.readerGone()
		return nil
	}
	return err
}

// readerGone ends retry and the command as SIGPIPE would, because the reader of standard output has gone.
func (s *System) readerGone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(syscall.SIGPIPE)
	closeOnce(s.outside)
	s.forward(syscall.SIGPIPE)
}

// Sleep waits, and reaps children that end meanwhile. SIGUSR1 wakes it.
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

// setAsleep says whether a SIGUSR1 is meant for the sleep. One that arrives at the very end of a sleep is dropped.
func (s *System) setAsleep(asleep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asleep = asleep
	select {
	case <-s.wake:
	default:
	}
}

// watchChildren subscribes to SIGCHLD. That happens as late as possible, because an attempt without a time limit is
// waited for by a plain system call, which is faster.
func (s *System) watchChildren() {
	s.watching.Do(func() {
		signals.Notify(s.children, syscall.SIGCHLD)
		time.AfterFunc(threadDelay, func() { signals.ReserveThreads(spareThreads) })
	})
	s.reap()
}

// reap reaps all children that have ended, including orphans that retry has inherited, and notes the exit of the current
// process.
func (s *System) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapAll()
}

// reapAll is reap for a caller that holds the mutex. It returns how many children it has reaped.
func (s *System) reapAll() (reaped int) {
	const patience = 10 // a call that fails for no reason may succeed again, and nothing else tells of this child
	for failures := 0; ; {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil && err != syscall.ECHILD && failures < patience {
			failures++
			continue
		}
		if err == syscall.ECHILD && s.current != nil && !s.current.exited {
			s.current.exited, s.current.lost = true, true
		}
		if err != nil || pid <= 0 {
			return reaped
		}
		reaped++
		if s.current != nil && s.current.pid == pid {
			s.current.exited, s.current.status = true, status
		}
	}
}

// leave forgets a process that has ended, and returns its outcome.
func (s *System) leave(p *process, end policy.End) (policy.Outcome, error) {
	s.awaitTerminal()
	s.terminal.takeBack(p.foreground)
	s.mu.Lock()
	s.current = nil
	s.expire()
	s.mu.Unlock()
	if p.lost {
		return policy.Outcome{}, errors.New("the command's exit status was lost")
	}
	return s.outcome(p, end), nil
}

// awaitTerminal waits for a SIGINT or SIGQUIT of the terminal that the kernel has delivered and Go has not passed on yet:
// the command has received it too, and may have ended by it.
func (s *System) awaitTerminal() {
	if !s.terminal.present() || !signals.HasCome(syscall.SIGINT) && !signals.HasCome(syscall.SIGQUIT) {
		return
	}
	select {
	case <-s.stopped:
	case <-time.After(stream.Lingering):
	}
}

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
