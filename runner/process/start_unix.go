//go:build unix

package process

import (
	"errors"
	"os"
	"strconv"
	"syscall"

	"retry/policy"
	"retry/runner"
	"retry/runner/proctable"
	"retry/runner/signals"
)

// process is the command of the current attempt.
type process struct {
	pid        int
	ownGroup   bool          // the command leads a process group of its own
	foreground bool          // retry's group had the terminal when the command was started
	bystanders map[int]int64 // the start times of retry's children that don't belong to this attempt
	token      string        // an environment entry that only processes of the attempt have
	seen       map[int]int64 // the start times of the processes known to belong to the attempt
	refused    bool          // no process of the attempt accepted the last signal: all are another user's
	exited     bool
	lost       bool // something else has reaped it
	status     syscall.WaitStatus
}

// start forks and executes a command. If that fails, or if retry has been told to end, it returns an outcome and no
// process. It holds the mutex, so that a signal either is seen here or finds the process.
func (s *System) start(t task) (*process, policy.Outcome) {
	path, err := findExecutable(t.command[0])
	if err != nil {
		return nil, unstarted(err)
	}
	token := s.token(t.Attempt)
	environ := append(s.environ[:len(s.environ):len(s.environ)], t.environ...)
	attributes := &syscall.ProcAttr{
		Env:   append(environ, token),
		Files: []uintptr{t.files[0].Fd(), t.files[1].Fd(), t.files[2].Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: !s.terminal.present()},
	}
	bindToParent(attributes.Sys)

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupt.Number != 0 {
		return nil, policy.Outcome{End: policy.Interrupted, Signal: s.interrupt}
	}
	p := &process{
		ownGroup: attributes.Sys.Setpgid, foreground: s.terminal.ours(), bystanders: proctable.Bystanders(), token: token,
	}
	signals.WithInheritedMask(func() { p.pid, err = fork(path, t.command, attributes) })
	if err != nil {
		return nil, unstarted(err)
	}
	s.current = p
	return p, policy.Outcome{}
}

// fork starts the command. A script without a #! line is run by the shell, as by execvp(3).
func fork(path string, command []string, attributes *syscall.ProcAttr) (pid int, err error) {
	pid, err = syscall.ForkExec(path, command, attributes)
	if errors.Is(err, syscall.ENOEXEC) {
		script := append([]string{"sh", path}, command[1:]...)
		pid, err = syscall.ForkExec("/bin/sh", script, attributes)
	}
	return pid, err
}

// token returns an environment entry that identifies the processes of an attempt even after they have left its process
// group and lost their parents.
func (s *System) token(a runner.Attempt) string {
	since := strconv.FormatInt(int64(s.clock.elapsed()), 10)
	return "RETRY_TOKEN=" + strconv.Itoa(os.Getpid()) + "-" + since + "-" + strconv.Itoa(a.Number)
}

// unstarted returns the outcome of an attempt whose command could not be started.
func unstarted(err error) policy.Outcome {
	o := policy.Outcome{End: policy.NotStarted, Status: policy.StatusNotExecuted, Fault: "cannot execute: " + err.Error()}
	switch {
	case errors.Is(err, errNotFound):
		o.Status, o.Fault = policy.StatusNotFound, err.Error()
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR):
		o.Status, o.Fault = policy.StatusNotFound, "cannot execute: the interpreter its first line names was not found"
	case errors.Is(err, syscall.ETXTBSY), errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM),
		errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		o.Passing = true
	}
	return o
}
