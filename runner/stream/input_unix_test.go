//go:build unix

package stream

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// reads returns a command that reads n bytes of its input, or all of it if that is less.
func reads(t *testing.T, n int, got *string) func(files [3]*os.File) {
	return func(files [3]*os.File) {
		t.Helper()
		text, err := io.ReadAll(io.LimitReader(own{files[0]}, int64(n)))
		if err != nil {
			t.Error(err)
		}
		*got = string(text)
	}
}

// own reads the current descriptor of a file, because os.Stdin may have been replaced.
type own struct{ *os.File }

func (o own) Read(block []byte) (int, error) {
	n, err := unix.Read(int(o.Fd()), block)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	return max(0, n), err
}

// Every attempt gets the same input from memory and from a file, however much of it the one before has read.
func TestReplay(t *testing.T) {
	outputs(t)
	for _, size := range []int{0, 10, spoolMemory, spoolMemory + 1, 3*relayBlock + 5} {
		text := strings.Repeat("0123456789", size/10+1)[:size]
		writer := inputPipe(t)
		go func() {
			_, _ = io.WriteString(writer, text)
			writer.Close()
		}()
		s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
		for i, n := range []int{0, size / 3, size + 1, size / 2, size + 1} {
			var got string
			var isFile bool
			if _, err := attempt(t, s, func(files [3]*os.File) {
				info, err := files[0].Stat()
				isFile = err == nil && info.Mode().IsRegular()
				reads(t, n, &got)(files)
			}); err != nil {
				t.Error(err)
			}
			if i == 4 && isFile != (size > spoolMemory) {
				t.Errorf("the input of %d bytes is a file: %v", size, isFile)
			}
			if want := text[:min(n, size)]; got != want {
				t.Errorf("%d bytes: %d were read, want %d", size, len(got), len(want))
			}
			if spent := s.Spent(); spent != policy.Unspent {
				t.Errorf("a replayed input is spent: %v", spent)
			}
		}
	}
}

// If an attempt ends while input is still arriving, the next one gets the rest.
func TestReplayOfWhatComesLater(t *testing.T) {
	outputs(t)
	writer := inputPipe(t)
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	var got string
	write(t, writer, "one")
	if _, err := attempt(t, s, reads(t, 3, &got)); got != "one" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	write(t, writer, "two")
	if _, err := attempt(t, s, reads(t, 6, &got)); got != "onetwo" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	writer.Close()
	if _, err := attempt(t, s, reads(t, 9, &got)); got != "onetwo" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// A command that reads its whole input must find its end, and not too early.
func TestReplayNonBlocking(t *testing.T) {
	outputs(t)
	writer := inputPipe(t)
	if err := unix.SetNonblock(0, true); err != nil { // another process may have made it so
		t.Fatal(err)
	}
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	var got string
	_, err := attempt(t, s, func(files [3]*os.File) {
		write(t, writer, "one")
		reads(t, 3, &got)(files)
		write(t, writer, "two")
		writer.Close()
		var more string
		reads(t, 9, &more)(files)
		got += more
	})
	if got != "onetwo" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// Two that share an input share its bytes, whoever is faster. Neither fails or waits for the other.
func TestReplayOfSharedInput(t *testing.T) {
	outputs(t)
	writer := inputPipe(t)
	if err := unix.SetNonblock(0, true); err != nil {
		t.Fatal(err)
	}
	var both [2]*Streams
	var inputs [2]*os.File
	for i := range both {
		both[i] = testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
		files, exit := begun(t, both[i])
		defer exit()
		inputs[i] = files[0]
	}
	const bytes = 2000
	for n := range bytes {
		write(t, writer, "x")
		for {
			got := 0
			for _, input := range inputs {
				queued, _, _ := queued(console.Poll, int(input.Fd()))
				got += queued
			}
			if got > n {
				break
			}
			runtime.Gosched()
		}
	}
	for _, s := range both {
		if err := s.Finish(nil, &policy.Outcome{}); err != nil {
			t.Error(err)
		}
	}
	if got := both[0].input.spool.size + both[1].input.spool.size; got != bytes {
		t.Errorf("%d bytes of %d have been read", got, bytes)
	}
}

// An attempt can end while retry waits for more input. Without that, retry would wait for as long as the input's writer.
func TestReplayEndsWithTheAttempt(t *testing.T) {
	outputs(t)
	writer := inputPipe(t)
	if err := unix.SetNonblock(0, false); err != nil { // as retry's input nearly always is
		t.Fatal(err)
	}
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	write(t, writer, "one")
	var got string
	if _, err := attempt(t, s, func(files [3]*os.File) {
		reads(t, 3, &got)(files)
		time.Sleep(20 * time.Millisecond) // so that retry waits, too
	}); got != "one" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// If what has been kept of the input can't be read again, there is an error.
func TestReplayOfWhatIsLost(t *testing.T) {
	outputs(t)
	writer := inputPipe(t)
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	go io.WriteString(writer, strings.Repeat("x", 2*spoolMemory))
	var got string
	if _, err := attempt(t, s, reads(t, 2*spoolMemory, &got)); len(got) != 2*spoolMemory || err != nil {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	s.input.spool.file.Close()
	_, exit := begun(t, s)
	if err := <-s.Broken; !errors.Is(err, os.ErrClosed) || !strings.HasPrefix(err.Error(), "standard input: ") {
		t.Errorf("got %v", err)
	}
	exit()
	if err := s.Finish(nil, &policy.Outcome{}); err != nil {
		t.Error(err)
	}
}

// Without room for the input, there is an error.
func TestReplayWithoutRoom(t *testing.T) {
	outputs(t)
	t.Setenv("TMPDIR", "/no/such/directory")
	writer := inputPipe(t)
	go func() {
		_, _ = io.WriteString(writer, strings.Repeat("x", 2*spoolMemory))
		writer.Close()
	}()
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	_, exit := begun(t, s)
	if err := <-s.Broken; !strings.HasPrefix(err.Error(), "standard input: open /no/such/directory/") {
		t.Errorf("got %v", err)
	}
	exit()
	if err := s.Finish(nil, &policy.Outcome{}); err != nil {
		t.Error(err)
	}
}

// An input that can't be read, such as a directory, is an error too.
func TestReplayOfWhatCannotBeRead(t *testing.T) {
	outputs(t)
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	replace(t, 0, folder)
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Replay })
	_, exit := begun(t, s)
	if err := <-s.Broken; err.Error() != "standard input: is a directory" {
		t.Errorf("got %v", err)
	}
	exit()
	if err := s.Finish(nil, &policy.Outcome{}); err != nil {
		t.Error(err)
	}
}

// A command with an empty input finds its end at once.
func TestNoInput(t *testing.T) {
	outputs(t)
	inputText(t, "text")
	got := "nothing was read"
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Nothing })
	if _, err := attempt(t, s, reads(t, 10, &got)); got != "" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// inputFile replaces standard input by a file.
func inputFile(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	replace(t, 0, file)
	return file
}

// After a failed attempt, a file is where it was before, which need not be the beginning. After a success, whatever
// reads on finds the rest.
func TestFileInput(t *testing.T) {
	outputs(t)
	for mode, want := range map[runner.Input]string{
		runner.Guarded: "45|4567|89", runner.Inherit: "45|4567|89", runner.Replay: "45|4567|4567", runner.Nothing: "||",
	} {
		if _, err := inputFile(t, "0123456789").Seek(4, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		s := testStreams(t, func(j *runner.Job) { j.Stdin = mode })
		var got [3]string
		for i, n := range []int{2, 4, 4} {
			if _, err := attempt(t, s, reads(t, n, &got[i])); err != nil {
				t.Error(err)
			}
			if spent := s.Spent(); spent != policy.Unspent {
				t.Errorf("a file is spent: %v", spent)
			}
			if i == 0 { // the others succeed
				if err := s.Settle(); err != nil {
					t.Error(err)
				}
			}
		}
		if all := strings.Join(got[:], "|"); all != want {
			t.Errorf("mode %v: read %s, want %s", mode, all, want)
		}
	}
}

// If there can't be another attempt, or it may lack any input, nobody needs to know what has become of the input.
func TestUnguardedInput(t *testing.T) {
	outputs(t)
	for name, test := range map[string]struct {
		job  runner.Job
		want policy.Spent
	}{
		"attempts that are left": {runner.Job{MaxAttempts: 2}, policy.Consumed},
		"no limit":               {runner.Job{}, policy.Consumed},
		"one attempt":            {runner.Job{MaxAttempts: 1}, policy.Unspent},
		"one attempt at a time":  {runner.Job{MaxAttempts: 1, ResetAfter: 1}, policy.Consumed},
		"RETRY_DISABLE":          {runner.Job{MaxAttempts: 2, Disabled: true}, policy.Unspent},
		"--stdin inherit":        {runner.Job{MaxAttempts: 2, Stdin: runner.Inherit}, policy.Unspent},
	} {
		inputText(t, "text")
		var got string
		s := newStreams(t, &test.job)
		if _, err := attempt(t, s, reads(t, 4, &got)); got != "text" || err != nil {
			t.Errorf("%s: read %q, %v", name, got, err)
		}
		if spent := s.Spent(); spent != test.want {
			t.Errorf("%s: %v, want %v", name, spent, test.want)
		}
	}
}
