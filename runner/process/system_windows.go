package process

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"retry/policy"
	"retry/runner"
	"retry/runner/signals"
	"retry/runner/stream"
)

// System is the Executor of Windows. It is the one owner of all processes.
//
// The goroutine that calls Execute starts and waits. A second one takes the console's events. Whatever looks at or changes the
// current process happens under the mutex.
type System struct {
	job     *runner.Job
	clock   clock
	environ []string
	streams *stream.Streams
	ask     func(group uint32) error // by CTRL_BREAK

	mu        sync.Mutex
	current   *process      // nil between attempts
	interrupt policy.Signal // the last signal to end
	stopped   chan struct{} // closed by the first
}

// Listen starts to take the console's events: Ctrl-C and Ctrl-Break come as INT, and as TERM that the console closes, the user
// logs off or the machine shuts down.
func Listen() *System {
	s := &System{clock: newClock(), ask: breakGroup, stopped: make(chan struct{})}
	received := make(chan os.Signal, 16)
	signal.Notify(received, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		for number := range received {
			s.take(number.(syscall.Signal))
		}
	}()
	return s
}

// Prepare makes the system ready to execute job.
func (s *System) Prepare(job *runner.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job, s.streams, s.environ = job, stream.New(job), inheritedEnvironment()
	return nil
}

// take has retry end by a signal. The command is told, because a console group of its own gets no Ctrl-C; that the console closes
// it knows as well as retry. A second signal ends a command that takes CTRL_BREAK for something else. If retry doesn't end
// soon between the attempts of a run, it hangs in a write to a stream that nobody reads, and ends on the spot.
func (s *System) take(received syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.interrupt.Number != 0
	s.interrupt = signals.Describe(received)
	if !again {
		close(s.stopped)
	}
	switch {
	case s.current == nil && s.job != nil:
		time.AfterFunc(stream.Lingering, func() { signals.Die(signals.Describe(received)) })
	case s.current == nil || s.current.ended():
	case again, received == syscall.SIGINT && s.ask(s.current.id) != nil:
		s.current.tree.terminate()
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

// Sleep waits.
func (s *System) Sleep(d time.Duration) (woken bool) {
	over, release := s.clock.after(d, s.job.Deadline > 0)
	defer release()
	select {
	case <-over:
	case <-s.stopped:
	}
	return false
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
		return policy.Outcome{}, err
	}
	files, closeFiles, err := s.streams.Open()
	if err != nil {
		closeFiles()
		s.streams.Abandon()
		return policy.Outcome{}, err
	}
	t := task{Attempt: a, command: s.job.Command, environ: attemptEnvironment(s.job, a), files: files, streams: s.streams}
	p, outcome := s.start(t)
	closeFiles()
	if p == nil {
		s.streams.Abandon()
		return outcome, nil
	}
	s.streams.Start(s.clock.elapsed)
	f := &follower{system: s, process: p, task: t}
	end, err := f.follow()
	if broken := s.streams.Finish(s.stopped, &outcome); err == nil {
		err = broken
	}
	ended, lost := s.leave(p, end)
	if err == nil {
		err = lost
	}
	ended.Matched, ended.Heard, ended.Spent = outcome.Matched, outcome.Heard, s.streams.Spent()
	return ended, err
}

// leave is done with a process that has ended. What it has left is let go: where it must not go on, it is gone by now.
func (s *System) leave(p *process, end policy.End) (policy.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = nil
	if p.ended() {
		p.tree.letGo()
	}
	p.tree.close()
	var code uint32
	err := os.NewSyscallError("GetExitCodeProcess", windows.GetExitCodeProcess(p.handle, &code))
	_ = windows.CloseHandle(p.handle)
	return s.outcome(code, end), err
}

// Consult runs a command that decides. What it prints goes to standard error.
func (s *System) Consult(q runner.Question) (policy.Outcome, error) {
	input, feed, err := s.streams.Answer(q)
	if err != nil {
		return policy.Outcome{}, err
	}
	t := task{
		Attempt: q.Attempt, command: q.Command, environ: questionEnvironment(s.job, q),
		files: [3]*os.File{input, os.Stderr, os.Stderr},
	}
	p, outcome := s.start(t)
	input.Close()
	stop := feed()
	defer stop()
	if p == nil {
		return outcome, nil
	}
	f := &follower{system: s, process: p, task: t}
	end, err := f.follow()
	if err != nil {
		return policy.Outcome{}, err
	}
	return s.leave(p, end)
}

// Settle gives a failed attempt's input back and its held output up.
func (s *System) Settle(success bool) error {
	if success {
		return nil
	}
	return s.streams.Settle()
}

// Finish writes out what is still held.
func (s *System) Finish(success bool) error { return s.streams.Deliver(success) }

// outcome describes a process that has ended. A command that ended by Ctrl-C or Ctrl-Break, when retry ends it or somebody else
// does, has a status of its own.
func (s *System) outcome(code uint32, end policy.End) policy.Outcome {
	o := policy.Outcome{End: end, Status: int(min(code, 255))} // what a rule knows
	switch {
	case end != policy.Exited:
		o.Status = policy.StatusTimeout
	case s.interrupt.Number != 0:
		o.End, o.Signal = policy.Interrupted, s.interrupt
	case code == uint32(windows.STATUS_CONTROL_C_EXIT):
		o.End, o.Signal = policy.Killed, signals.Describe(syscall.SIGINT)
		o.Status = policy.StatusSignalOffset + o.Signal.Number
	}
	return o
}
