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
func (s *System) Prepare(job *Job) { s.job, s.environ = job, inheritedEnvironment() }

// Interrupted is the signal by which retry was told to end.
func (s *System) Interrupted() policy.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupt
}

// Elapsed is the time since Listen.
func (s *System) Elapsed() time.Duration { return s.clock.elapsed() }

// Sleep waits.
func (s *System) Sleep(d time.Duration) {
	over, release := s.clock.after(d, false)
	defer release()
	select {
	case <-over:
	case <-s.stopped:
	}
}

// Execute runs the command once.
func (s *System) Execute(a Attempt) (policy.Outcome, error) {
	began := time.Now()
	outcome, err := s.execute(a)
	outcome.Duration = time.Since(began)
	return outcome, err
}

func (s *System) execute(a Attempt) (policy.Outcome, error) {
	path, err := exec.LookPath(s.job.Command[0])
	if err != nil {
		return unstarted(err), nil
	}
	process, err := os.StartProcess(path, s.job.Command, &os.ProcAttr{
		Env:   append(s.environ[:len(s.environ):len(s.environ)], attemptEnvironment(s.job, a)...),
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
	if err != nil {
		return unstarted(err), nil
	}
	end, d := policy.TimedOut, s.job.Timeout
	if a.Remaining != 0 && (d == 0 || a.Remaining < d) {
		end, d = policy.DeadlinePassed, max(a.Remaining, 1)
	}
	ended := make(chan struct{})
	if d > 0 {
		limit := time.AfterFunc(d, func() {
			if process.Kill() == nil {
				close(ended)
			}
		})
		defer limit.Stop()
	}
	state, err := process.Wait()
	if err != nil {
		return policy.Outcome{}, err
	}
	select {
	case <-ended:
		return policy.Outcome{End: end, Status: policy.StatusTimeout}, nil
	default:
	}
	if interrupt := s.Interrupted(); interrupt.Number != 0 && state.ExitCode() != 0 {
		return policy.Outcome{End: policy.Interrupted, Signal: interrupt}, nil
	}
	return policy.Outcome{Status: status(state.ExitCode())}, nil
}

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
