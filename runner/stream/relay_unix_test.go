//go:build unix

package stream

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
)

// relayed returns a relay of a pipe, and the command's end of that.
func relayed(t *testing.T, sink io.Writer) (*relay, *os.File) {
	t.Helper()
	r := &relay{name: "standard output", sink: sink, broken: make(chan error, 1)}
	command, _, err := r.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.source.Close(); command.Close() })
	return r, command
}

// When time is up, what a background process has written is passed on, without waiting for the process.
func TestRelayDrainsWhenTimeIsUp(t *testing.T) {
	for _, closes := range []bool{false, true} {
		var sink bytes.Buffer
		r, command := relayed(t, &sink)
		text := strings.Repeat("0123456789abcde\n", 3*relayBlock/16)
		write(t, command, text)
		if closes {
			command.Close()
		}
		if err := r.source.SetReadDeadline(time.Unix(0, 1)); err != nil {
			t.Fatal(err)
		}
		r.run()
		if sink.String() != text || r.err != nil {
			t.Errorf("%d bytes of %d were passed on, %v", sink.Len(), len(text), r.err)
		}
	}
}

// again writes everything that it gets to the command's end, like a process that never stops printing, and counts it.
type again struct {
	command *os.File
	written int
}

func (a *again) Write(block []byte) (int, error) {
	a.written += len(block)
	return a.command.Write(block)
}

// A process that never stops printing is read only for as long as it takes to empty the pipe once.
func TestRelayDrainEnds(t *testing.T) {
	endless := &again{}
	r, command := relayed(t, endless)
	endless.command = command
	write(t, command, strings.Repeat("x", relayBlock))
	if err := r.source.SetReadDeadline(time.Unix(0, 1)); err != nil {
		t.Fatal(err)
	}
	r.run()
	if endless.written != pipeCapacity {
		t.Errorf("%d bytes were passed on, want %d", endless.written, pipeCapacity)
	}
}

// If standard output has lost its reader, that error ends the command. If standard error has, the command goes on, and
// what it writes there is still searched.
func TestRelayWithoutReader(t *testing.T) {
	for descriptor := 1; descriptor <= 2; descriptor++ {
		outputs(t)
		reader, writer := pair(t)
		replace(t, descriptor, writer)
		reader.Close()
		s := testStreams(t, func(j *runner.Job) { j.Rules = patterns(t, "output:end") })
		files, exit := begun(t, s)
		write(t, files[descriptor], "begin\n")
		if descriptor == 1 {
			want := "standard output: broken pipe"
			if err := <-s.Broken; err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			<-s.output[0].done
			if _, err := files[1].Write([]byte("end\n")); err == nil {
				t.Error("the command can go on writing")
			}
		} else {
			write(t, files[2], "end\n")
		}
		exit()
		var o policy.Outcome
		err := s.Finish(nil, &o)
		if (err != nil) != (descriptor == 1) || len(o.Matched) != descriptor-1 {
			t.Errorf("descriptor %d: %v, %v", descriptor, err, o.Matched)
		}
	}
}

// Without room for output that is held or kept, the error names the stream, even if it is standard error.
func TestRelayWithoutRoom(t *testing.T) {
	outputs(t)
	t.Setenv("TMPDIR", "/no/such/directory")
	for want, change := range map[string]func(*runner.Job){
		"standard output: ":                         func(j *runner.Job) { j.Hold[0] = runner.Last },
		"standard error: ":                          func(j *runner.Job) { j.Hold[1] = runner.Last },
		"the copy of standard output for --judge: ": func(j *runner.Job) { j.Judge = []string{"true"} },
	} {
		s := testStreams(t, change)
		files, exit := begun(t, s)
		for _, file := range files[1:] {
			_, _ = file.WriteString(strings.Repeat("x", spoolMemory+1)) // some of it may fail
		}
		exit()
		if err := s.Finish(nil, &policy.Outcome{}); err == nil || !strings.HasPrefix(err.Error(), want+"open /no/such/directory/") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// If the command could not be started, no end of a pipe or a terminal stays open.
func TestAbandon(t *testing.T) {
	outputs(t)
	for _, tty := range []runner.TTY{runner.NeverTTY, runner.AlwaysTTY} {
		s := testStreams(t, func(j *runner.Job) { j.TTY, j.Rules = tty, patterns(t, "output:x") })
		files, exit, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		other, err := unix.FcntlInt(files[1].Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		exit()
		s.Abandon()
		if _, err := unix.Write(other, []byte("x")); err == nil {
			t.Errorf("terminals %v: there is still a reader", tty)
		}
		unix.Close(other)
	}
}

// Once retry has been told to end, a reader that doesn't read can delay it only for Lingering.
func TestRelayEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan struct{})
		r := &relay{done: make(chan struct{})}
		began := time.Now()
		time.AfterFunc(time.Hour, func() { close(stopped) })
		if r.ends(stopped) || time.Since(began) != time.Hour+Lingering {
			t.Errorf("it ended after %v", time.Since(began))
		}
		time.AfterFunc(Lingering/2, func() { close(r.done) })
		if !r.ends(stopped) || !r.ends(nil) {
			t.Error("it did not end")
		}
	})
}

// A stream that was never started has no matches.
func TestNotStarted(t *testing.T) {
	s := testStreams(t, func(j *runner.Job) { j.Rules = patterns(t, "stdout:x") })
	if found := s.output[0].matched(); found != nil {
		t.Errorf("found %v", found)
	}
}
