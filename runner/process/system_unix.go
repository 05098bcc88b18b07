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
	// spareThreads is how many threads retry creates in advance for an attempt that it may have to end. With them it
	// can do so even if the attempt uses up all threads of the system.
	spareThreads = 12
	// threadDelay is how long an attempt runs before that. A short command doesn't pay for the threads, and no command
	// uses up those of the system so soon.
	threadDelay = 3 * time.Millisecond
)

// native is what System has on Unix: the terminal and signals. SIGUSR1 ends a sleep: asleep, guarded by the mutex, says
// whether there is one, and a value sent to wake ends it.
type native struct {
	terminal  terminal
	endings   chan os.Signal // the signals that end retry; no flood of others can displace them
	others    chan os.Signal // all other signals
	listening chan struct{}  // closed once the usual signals are subscribed to
	watching  sync.Once      // subscribes to SIGCHLD
	asleep    bool
	wake      chan struct{}
}

// Listen starts to handle the signals sent to retry. It returns at once and subscribes to them in the background,
// because each subscription takes two turns of Go's scheduler.
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

// subscribed waits until the usual signals are subscribed to.
func (s *System) subscribed() { <-s.listening }

// subscribe subscribes to signals, except those that were ignored when retry started: they stay ignored, in retry and
// in the command.
func subscribe(to chan<- os.Signal, numbers ...os.Signal) {
	if numbers = unignored(numbers...); len(numbers) > 0 { // to Notify, an empty list means all signals
		signals.Notify(to, numbers...)
	}
}

func unignored(numbers ...os.Signal) []os.Signal { return slices.DeleteFunc(numbers, signal.Ignored) }

// Prepare prepares the system for a job. It locks the calling goroutine to its thread, and Execute must be called from
// the same goroutine: children get their parent-death signal when the thread that forked them exits.
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
		return errors.New("--sweep: on a terminal, this system can't tell which processes a command has left")
	}
	proctable.Adopt()
	if (job.Timeout > 0 || job.Deadline > 0 || job.IdleTimeout > 0 || job.Sweep) && !proctable.Usable() {
		s.warnings = append(s.warnings, "without a usable /proc, processes that leave the process group of the command can't be ended")
	}
	s.subscribed()
	signals.Pin()
	if job.IdleTimeout != 0 {
		subscribe(s.others, syscall.SIGCONT)
	}
	if signals.CanStop && (streams.HasTerminals() || s.Aside != nil) {
		subscribe(s.others, syscall.SIGTSTP)
	}
	return nil
}

// enoughFiles returns an error if the limit on open files is too low to carry streams. Go's runtime would end the
// program in the middle of a run.
func enoughFiles(streams *stream.Streams) error {
	const needed = 20
	var limit syscall.Rlimit
	if streams.Piped() && syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < needed {
		return fmt.Errorf("only %d open files are allowed (ulimit -n); to carry the streams of a command, retry needs %d", limit.Cur, needed)
	}
	return nil
}

// take handles one signal sent to retry. ending says that the signal tells retry to end.
func (s *System) take(received syscall.Signal, ending bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ending:
		s.stop(received)
	case s.job == nil:
		if received != syscall.SIGWINCH {
			die(signals.Describe(received)) // the signal's default action, as there is no command to forward it to
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

// forward sends a signal to the command, if one is running. SIGINT and SIGQUIT go to the command's whole process group
// if retry has created it, as they would from a terminal: a shell waits for the programs it runs, which would not get
// them otherwise. All others go to the command alone: on SIGTERM, for example, a server stops its workers in its own
// way. The caller holds the mutex.
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

// ownFailure returns err unless it is EPIPE: standard output has then lost its reader, which ends retry as SIGPIPE would.
func (s *System) ownFailure(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		s.readerGone()
		return nil
	}
	return err
}

// readerGone ends retry and the command as SIGPIPE would, because standard output has lost its reader.
func (s *System) readerGone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(syscall.SIGPIPE)
	closeOnce(s.outside)
	s.forward(syscall.SIGPIPE)
}

// Sleep waits for d, and reaps children meanwhile. It returns early if retry is told to end, if standard output loses
// its reader, or, with woken set, after a SIGUSR1.
func (s *System) Sleep(d time.Duration) (woken bool) {
	if d <= 0 {
		if stream.ReaderHasGone() {
			s.readerGone()
		}
		return false
	}
	s.watchChildren()
	over, release := s.clock.after(d, s.job.Deadline != 0)
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

// setAsleep says whether a SIGUSR1 ends a sleep. It drops one that came at the very end of the last sleep.
func (s *System) setAsleep(asleep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asleep = asleep
	select {
	case <-s.wake:
	default:
	}
}

// watchChildren subscribes to SIGCHLD. It is called as late as possible: an attempt that nothing limits is waited for
// by a plain system call, which is faster.
func (s *System) watchChildren() {
	s.watching.Do(func() {
		signals.Notify(s.children, syscall.SIGCHLD)
		time.AfterFunc(threadDelay, func() { signals.ReserveThreads(spareThreads) })
	})
	s.reap()
}

// reap reaps all children that have ended, including orphans that retry has inherited, and records the exit of the
// current process.
func (s *System) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapAll()
}

// reapAll does what reap does, for a caller that holds the mutex. It reports whether it has reaped any child.
func (s *System) reapAll() (reaped bool) {
	for {
		pid, status, err := reapChild()
		switch {
		case err == syscall.ECHILD:
			if s.current != nil && !s.current.exited {
				s.current.exited, s.current.lost = true, true
			}
			return reaped
		case err != nil, pid == 0:
			return reaped
		}
		reaped = true
		if s.current != nil && s.current.pid == pid {
			s.current.exited, s.current.status = true, status
		}
	}
}

// reapChild reaps a child that has ended. pid is 0 if there is none, and err is ECHILD if retry has no children. A call
// that fails is repeated: if it failed for no reason it may succeed, and nothing else reports this child.
func reapChild() (pid int, status syscall.WaitStatus, err error) {
	for range 10 {
		pid, err = syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == nil || err == syscall.ECHILD {
			break
		}
	}
	return pid, status, err
}

// leave forgets a process that has ended and returns its outcome.
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

// awaitTerminal waits for a SIGINT or SIGQUIT from the terminal that the kernel has delivered but Go has not passed on
// yet. The command has received it too and may have ended because of it.
func (s *System) awaitTerminal() {
	if !s.terminal.present() || !signals.HasCome(syscall.SIGINT) && !signals.HasCome(syscall.SIGQUIT) {
		return
	}
	select {
	case <-s.stopped:
	case <-time.After(stream.Lingering):
	}
}

// outcome returns the outcome of a process that has ended. end is why retry ended it.
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
