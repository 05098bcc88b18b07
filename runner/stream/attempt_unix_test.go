//go:build unix

package stream

import (
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
)

// replace makes a file one of this process's standard streams until the test ends.
func replace(t *testing.T, descriptor int, file *os.File) {
	t.Helper()
	kept, err := unix.FcntlInt(uintptr(descriptor), unix.F_DUPFD_CLOEXEC, 10)
	if err != nil {
		t.Fatal(err)
	}
	restore := func() {
		if err := unix.Dup2(kept, descriptor); err != nil {
			t.Fatal(err)
		}
		unix.Close(kept)
	}
	control(file, func(from int) { err = unix.Dup2(from, descriptor) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(restore)
}

// A screen shows what this process has written to its standard output and standard error.
type screen struct{ files [2]*os.File }

// outputs replaces standard output and standard error by files.
func outputs(t *testing.T) *screen {
	t.Helper()
	s := &screen{}
	for i := range s.files {
		file, err := os.OpenFile(t.TempDir()+"/output", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		replace(t, i+1, file)
		s.files[i] = file
	}
	return s
}

// shows checks what has been written since the last call.
func (s *screen) shows(t *testing.T, when, wantOutput, wantError string) {
	t.Helper()
	for i, want := range []string{wantOutput, wantError} {
		text, err := os.ReadFile(s.files[i].Name())
		if string(text) != want || err != nil {
			t.Errorf("%s: descriptor %d has %.100q, want %.100q, %v", when, i+1, text, want, err)
		}
		if err := s.files[i].Truncate(0); err != nil {
			t.Fatal(err)
		}
	}
}

// inputPipe replaces standard input by a pipe and returns its write end.
func inputPipe(t *testing.T) *os.File {
	t.Helper()
	reader, writer := pair(t)
	replace(t, 0, reader)
	reader.Close()
	return writer
}

// inputText replaces standard input by a pipe that contains only the text.
func inputText(t *testing.T, text string) {
	t.Helper()
	writer := inputPipe(t)
	write(t, writer, text)
	writer.Close()
}

func write(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Error(err)
	}
}

// begun opens the files of an attempt and starts it. The files belong to the command, which closes them by calling exit.
func begun(t *testing.T, s *Streams) (files [3]*os.File, exit func()) {
	t.Helper()
	files, exit, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s.Start(func() time.Duration { return time.Since(began) })
	return files, exit
}

// attempt makes an attempt with a command that this process plays itself.
func attempt(t *testing.T, s *Streams, command func(files [3]*os.File)) (policy.Outcome, error) {
	t.Helper()
	files, exit := begun(t, s)
	command(files)
	exit()
	var o policy.Outcome
	err := s.Finish(nil, &o)
	return o, err
}

// says returns a command that prints.
func says(t *testing.T, output, errors string) func(files [3]*os.File) {
	return func(files [3]*os.File) {
		t.Helper()
		write(t, files[1], output)
		write(t, files[2], errors)
	}
}

// patterns returns rules with these patterns, written as in options.
func patterns(t *testing.T, texts ...string) (rules policy.Rules) {
	t.Helper()
	for _, text := range texts {
		rule, err := policy.ParseRule(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		rules.RetryIf = append(rules.RetryIf, rule)
	}
	return rules
}

func testStreams(t *testing.T, change func(job *runner.Job)) *Streams {
	t.Helper()
	job := &runner.Job{TTY: runner.NeverTTY, Stdin: runner.Inherit}
	change(job)
	return newStreams(t, job)
}

// newStreams are streams that leave no watch behind: a user can have few.
func newStreams(t *testing.T, job *runner.Job) *Streams {
	s := New(job)
	t.Cleanup(func() { release(s) })
	return s
}
