package process

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"retry/policy"
	"retry/runner"
	"retry/runner/signals"
	"retry/runner/stream"
)

// native is what System has on Windows: a function that asks the processes of a console group to end, by CTRL_BREAK.
type native struct{ ask func(group uint32) error }

// Listen starts to handle console events. Ctrl-C and Ctrl-Break arrive as SIGINT; closing the console, logging off and
// shutting down arrive as SIGTERM.
func Listen() *System {
	s := newSystem()
	s.ask = breakGroup
	received := make(chan os.Signal, 16)
	signal.Notify(received, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		for number := range received {
			s.take(number.(syscall.Signal))
		}
	}()
	return s
}

// Prepare prepares the system for a job.
func (s *System) Prepare(job *runner.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rewinder = stream.NewRewinder(job.Rewind)
	s.job, s.streams, s.environ = job, stream.New(job), inLocale(inheritedEnvironment(job.Trace != nil), job.Messages)
	return nil
}

// subscribed returns at once, because Listen subscribes before it returns.
func (s *System) subscribed() {}

// take handles one console event, each of which ends retry. It passes on Ctrl-C, which the command doesn't get because
// it is in a console group of its own. The other events reach the command directly. A second event kills the command,
// which may take CTRL_BREAK for something else than a request to end.
func (s *System) take(received syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.interrupt.Number != 0
	s.stop(received)
	closeOnce(s.outside)
	if s.current == nil || s.current.ended() {
		return
	}
	if again || received == syscall.SIGINT && s.ask(s.current.id) != nil {
		s.current.tree.terminate()
	}
}

// ownFailure returns err: on Windows, a write to a pipe without a reader is an error like any other.
func (s *System) ownFailure(err error) error { return err }

// Sleep waits for d, or until retry is told to end. woken is always false.
func (s *System) Sleep(d time.Duration) (woken bool) {
	over, release := s.clock.after(d, s.job.Deadline > 0)
	defer release()
	select {
	case <-over:
	case <-s.stopped:
	}
	return false
}

// watchChildren does nothing: every process is watched from its start.
func (s *System) watchChildren() {}

// reap records the exit of the current process.
func (s *System) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		s.current.exited = s.current.ended()
	}
}

// leave forgets a process that has ended and returns its outcome. Processes that it has left behind may go on running:
// those that must not are gone by now.
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

// outcome returns the outcome of a process that has ended with an exit code. end is why retry ended it. Windows has a
// code of its own for a process that Ctrl-C or Ctrl-Break has ended, whoever sent it.
func (s *System) outcome(code uint32, end policy.End) policy.Outcome {
	o := policy.Outcome{End: end, Status: int(min(code, 255))} // the greatest status that a rule can name
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
