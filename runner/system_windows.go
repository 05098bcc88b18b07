package runner

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"retry/policy"
)

// System is the Executor of Windows: no groups, one kind of interrupt, and a process is ended, not asked to end.
type System struct {
	job     *Job
	clock   clock
	environ []string
	streams *streams

	mu        sync.Mutex
	interrupt policy.Signal
	stopped   chan struct{}
}

// Listen starts to take Ctrl-C and Ctrl-Break, which the console sends to the command as well.
func Listen() *System {
	s := &System{clock: newClock(), stopped: make(chan struct{})}
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	go func() {
		number := (<-received).(syscall.Signal)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.interrupt = describe(number)
		close(s.stopped)
	}()
	return s
}

// Prepare makes the system ready to execute job.
func (s *System) Prepare(job *Job) (err error) {
	s.job, s.environ = job, inheritedEnvironment()
	s.streams, err = newStreams(job)
	return err
}

// Interrupted is the signal by which retry was told to end.
func (s *System) Interrupted() policy.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupt
}

// Elapsed is the time since Listen.
func (s *System) Elapsed() time.Duration { return s.clock.elapsed() }

// Sleep waits.
func (s *System) Sleep(d time.Duration) (woken bool) {
	over, release := s.clock.after(d, false)
	defer release()
	select {
	case <-over:
	case <-s.stopped:
	}
	return false
}

// Execute runs the command once.
func (s *System) Execute(a Attempt) (policy.Outcome, error) {
	began := time.Now()
	outcome, err := s.execute(a)
	outcome.Duration = time.Since(began)
	return outcome, err
}

func (s *System) execute(a Attempt) (policy.Outcome, error) {
	if err := s.streams.renew(s.job); err != nil {
		return policy.Outcome{}, err
	}
	path, err := exec.LookPath(s.job.Command[0])
	if err != nil {
		return unstarted(err), nil
	}
	files, closeFiles, err := s.streams.open()
	if err != nil {
		closeFiles()
		s.streams.abandon()
		return policy.Outcome{}, err
	}
	process, err := os.StartProcess(path, s.job.Command, &os.ProcAttr{
		Env:   append(s.environ[:len(s.environ):len(s.environ)], attemptEnvironment(s.job, a)...),
		Files: files[:],
	})
	closeFiles()
	if err != nil {
		s.streams.abandon()
		return unstarted(err), nil
	}
	s.streams.start(s.clock.elapsed)
	o, err := s.wait(process, a)
	if err == nil {
		o.Matched, err = s.streams.finish(s.stopped)
	}
	return o, err
}

// wait waits for the process, and ends it when its time is up.
func (s *System) wait(process *os.Process, a Attempt) (policy.Outcome, error) {
	exited := make(chan policy.Outcome, 1)
	failed := make(chan error, 1)
	go func() {
		state, err := process.Wait()
		if err != nil {
			failed <- err
			return
		}
		exited <- policy.Outcome{Status: status(state.ExitCode())}
	}()
	end, limit := policy.TimedOut, s.job.Timeout
	if a.Remaining != 0 && (limit == 0 || a.Remaining < limit) {
		end, limit = policy.DeadlinePassed, max(a.Remaining, 1)
	}
	var over, idle <-chan time.Time
	if limit > 0 {
		over = time.After(limit)
	}
	if s.job.IdleTimeout > 0 {
		idle = time.After(s.job.IdleTimeout)
	}
	ended := policy.Exited
	var broken error
	for {
		select {
		case err := <-failed:
			return policy.Outcome{}, err
		case o := <-exited:
			switch interrupt := s.Interrupted(); {
			case ended != policy.Exited:
				o = policy.Outcome{End: ended, Status: policy.StatusTimeout}
			case interrupt.Number != 0 && o.Status != 0:
				o = policy.Outcome{End: policy.Interrupted, Signal: interrupt}
			}
			return o, broken
		case <-over:
			ended = end
			_ = process.Kill()
		case <-idle:
			left := s.streams.idleLeft(s.job, s.clock.elapsed())
			if idle = time.After(left); left <= 0 {
				ended, idle = policy.Idle, nil
				_ = process.Kill()
			}
		case broken = <-s.streams.broken:
			_ = process.Kill()
		}
	}
}

// Settle gives a failed attempt's held output up.
func (s *System) Settle(success bool) error {
	if success {
		return nil
	}
	return s.streams.settle(s.job)
}

// Finish writes out what is still held.
func (s *System) Finish(success bool) error { return s.streams.deliver(s.job, success) }

// status fits Windows' 32 bits into the eight that a rule knows: what is larger is 255.
func status(code int) int {
	if code < 0 || code > 255 {
		return 255
	}
	return code
}

func unstarted(err error) policy.Outcome {
	o := policy.Outcome{End: policy.NotStarted, Status: policy.StatusNotExecuted, Fault: "cannot execute: " + err.Error()}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		o.Status, o.Fault = policy.StatusNotFound, "command not found"
	}
	return o
}

// Executable reports whether name is a command that can be executed.
func Executable(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

var signalNames = map[string]syscall.Signal{
	"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM, "SIGKILL": syscall.SIGKILL,
}

// SignalByName finds a signal by its name, with or without SIG in front.
func SignalByName(name string) (policy.Signal, bool) {
	for full, number := range signalNames {
		if name == full || "SIG"+name == full {
			return describe(number), true
		}
	}
	return policy.Signal{}, false
}

func describe(number syscall.Signal) policy.Signal {
	for name, n := range signalNames {
		if n == number {
			return policy.Signal{Number: int(number), Name: name}
		}
	}
	return policy.Signal{Number: int(number), Name: number.String()}
}

// Die returns: Windows has no death by a signal.
func Die(policy.Signal) {}
