package process

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/signals"
)

// obeying returns a system that asks a command to end by a file that the test binary, as the command, looks for. asked
// counts how often it has asked.
func obeying(t *testing.T, obeys bool, change func(*runner.Job)) (s *System, asked *int) {
	t.Helper()
	t.Setenv("RETRY_TEST_ROLE", "1")
	dir, err := os.MkdirTemp("", "retry-test-")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "end")
	t.Cleanup(func() {
		for _, path := range []string{file, file + ".ready", dir} {
			_ = os.Remove(path)
		}
	})
	s = newSystem()
	asked = new(int)
	s.ask = func(uint32) error {
		for *asked++; ; time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(file + ".ready"); err == nil || !obeys {
				break
			}
		}
		if obeys {
			return os.WriteFile(file, []byte("end"), 0o666)
		}
		return nil
	}
	term, _ := signals.ByName("TERM")
	job := &runner.Job{Command: []string{os.Args[0], "obey", file}, Timeout: time.Millisecond, Signal: term, KillAfter: time.Hour}
	change(job)
	if err := s.Prepare(job); err != nil {
		t.Fatal(err)
	}
	return s, asked
}

func executes(t *testing.T, s *System, end policy.End, status int) {
	t.Helper()
	if o, err := s.Execute(runner.Attempt{Number: 1}); o.End != end || o.Status != status || err != nil {
		t.Errorf("%+v, %v, want end %v and status %d", o, err, end, status)
	}
}

// A command that doesn't end when it is asked is killed after the grace period. One that can't or must not be asked is
// killed at once.
func TestTimeoutAsks(t *testing.T) {
	s, asked := obeying(t, true, func(*runner.Job) {})
	executes(t, s, policy.TimedOut, policy.StatusTimeout)
	if *asked != 1 {
		t.Errorf("asked %d times", *asked)
	}
	s, asked = obeying(t, false, func(j *runner.Job) { j.KillAfter = time.Millisecond })
	executes(t, s, policy.TimedOut, policy.StatusTimeout)
	if *asked != 1 {
		t.Errorf("asked %d times", *asked)
	}
	s, _ = obeying(t, false, func(*runner.Job) {})
	s.ask = func(uint32) error { return errors.New("no console") }
	executes(t, s, policy.TimedOut, policy.StatusTimeout)
	s, asked = obeying(t, false, func(j *runner.Job) { j.Signal, _ = signals.ByName("KILL") })
	executes(t, s, policy.TimedOut, policy.StatusTimeout)
	if *asked != 0 {
		t.Errorf("asked %d times before KILL", *asked)
	}
}

// A signal to retry is passed on, and retry waits for the command unless a second signal comes. If the console is
// closed, the command learns that itself.
func TestSignalAsks(t *testing.T) {
	interrupted := func(obeys bool, numbers ...string) (*System, *int) {
		s, asked := obeying(t, obeys, func(j *runner.Job) { j.Timeout = 0 })
		go func() {
			for {
				s.mu.Lock()
				running := s.current != nil
				s.mu.Unlock()
				if running {
					break
				}
				time.Sleep(time.Millisecond)
			}
			for _, name := range numbers {
				signal, _ := signals.ByName(name)
				s.take(syscall.Signal(signal.Number))
			}
		}()
		return s, asked
	}
	s, asked := interrupted(true, "INT")
	executes(t, s, policy.Interrupted, 0)
	if *asked != 1 || s.Interrupted().Name != "SIGINT" {
		t.Errorf("asked %d times, %v", *asked, s.Interrupted())
	}
	s, asked = interrupted(false, "INT", "INT")
	executes(t, s, policy.Interrupted, 1)
	if *asked != 1 {
		t.Errorf("asked %d times", *asked)
	}
	s, asked = interrupted(false, "TERM", "TERM")
	executes(t, s, policy.Interrupted, 1)
	if *asked != 0 || s.Interrupted().Name != "SIGTERM" {
		t.Errorf("asked %d times, %v", *asked, s.Interrupted())
	}
	executes(t, s, policy.Interrupted, 0) // and nothing is started any more
}
