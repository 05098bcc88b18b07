//go:build unix

package stream

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// If no option needs a stream, the command gets retry's own descriptor.
func TestOnlyWhatIsAskedForIsPiped(t *testing.T) {
	for _, test := range []struct {
		name                  string
		change                func(job *runner.Job)
		input, output, errors bool
	}{
		{"nothing", func(*runner.Job) {}, false, false, false},
		{"a pattern", func(j *runner.Job) { j.Rules = patterns(t, "output:x") }, false, true, true},
		{"a pattern of standard output", func(j *runner.Job) { j.Rules = patterns(t, "stdout:x") }, false, true, false},
		{"a pattern of standard error", func(j *runner.Job) { j.Rules = patterns(t, "stderr:x") }, false, false, true},
		{"failures", func(j *runner.Job) { j.Diagnostics.Failures = true }, false, true, true},
		{"an idle timeout", func(j *runner.Job) { j.IdleTimeout = time.Hour }, false, true, true},
		{"held output", func(j *runner.Job) { j.Hold[0] = runner.Last }, false, true, false},
		{"held errors", func(j *runner.Job) { j.Hold[1] = runner.Last }, false, false, true},
		{"--judge", func(j *runner.Job) { j.Judge = []string{"true"} }, false, true, false},
		{"a terminal", func(j *runner.Job) { j.TTY = runner.AlwaysTTY }, false, true, true},
		{"replay", func(j *runner.Job) { j.Stdin = runner.Replay }, true, false, false},
		{"no input", func(j *runner.Job) { j.Stdin = runner.Nothing }, true, false, false},
	} {
		outputs(t)
		inputPipe(t)
		s := testStreams(t, test.change)
		files, exit, err := s.Open()
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		for i, want := range []bool{test.input, test.output, test.errors} {
			if own := []*os.File{os.Stdin, os.Stdout, os.Stderr}[i]; (files[i] != own) != want {
				t.Errorf("%s: descriptor %d is retry's own: %v", test.name, i, files[i] == own)
			}
		}
		exit()
		s.Abandon()
		if got, want := s.Piped(), test.name != "nothing" && test.name != "no input"; got != want {
			t.Errorf("%s: Piped() is %v", test.name, got)
		}
	}
}

// What a command writes to a stream goes to the same stream of retry's, and is searched for that stream's patterns.
func TestOutputIsPassedOnAndSearched(t *testing.T) {
	screen := outputs(t)
	s := testStreams(t, func(j *runner.Job) {
		j.Rules = patterns(t, "stdout:red", "stderr:red", "output:green", "stderr:blue", "stdout:gone")
	})
	for _, test := range []struct{ output, errors, want string }{
		{"red\n", "blue\n", "stdout:red stderr:blue"},
		{"", "red", "stderr:red"},
		{"green\n", "a green\nthing\n", "output:green"},
		{"", "", ""},
	} {
		o, err := attempt(t, s, says(t, test.output, test.errors))
		var found []string
		for _, pattern := range o.Matched {
			found = append(found, pattern.String())
		}
		if got := strings.Join(found, " "); got != test.want || err != nil {
			t.Errorf("%q and %q: found %q, want %q, %v", test.output, test.errors, got, test.want, err)
		}
		screen.shows(t, test.want, test.output, test.errors)
	}
}

// A diagnosis is about the last attempt only.
func TestDiagnosis(t *testing.T) {
	outputs(t)
	s := testStreams(t, func(j *runner.Job) { j.Diagnostics = policy.Diagnostics{RetryAfter: true} })
	for _, test := range []struct {
		said string
		want time.Duration
	}{{"HTTP/1.1 503 Busy\nRetry-After: 7\n\n", 7 * time.Second}, {"fine\n", 0}} {
		o, err := attempt(t, s, says(t, "", test.said))
		if err != nil || o.Diagnosis == nil || o.Diagnosis.Hint != test.want {
			t.Errorf("%q: %+v, %v", test.said, o.Diagnosis, err)
		}
	}
	if o, _ := attempt(t, testStreams(t, func(j *runner.Job) { j.IdleTimeout = time.Hour }), says(t, "x", "")); o.Diagnosis != nil {
		t.Errorf("an unwanted diagnosis: %+v", o.Diagnosis)
	}
}

// Held output of a failed attempt is dropped or goes to standard error. That of the last attempt is written out.
func TestHeldOutput(t *testing.T) {
	const first, second = "first\n", "second\n"
	for _, test := range []struct {
		name          string
		hold          [2]runner.Holding
		success       bool
		output, error string
	}{
		{"last", [2]runner.Holding{runner.Last, runner.Last}, false, second, second},
		{"the output of the last", [2]runner.Holding{runner.Last, runner.Live}, false, second, first + second},
		{"the errors of the last", [2]runner.Holding{runner.Live, runner.Last}, true, first + second, second},
		{"that of a success, without one", [2]runner.Holding{runner.Success, runner.Last}, false, "", first + second + second},
		{"that of a success", [2]runner.Holding{runner.Success, runner.Last}, true, second, first + second},
		{"the errors of a success", [2]runner.Holding{runner.Last, runner.Success}, true, second, first + second},
	} {
		screen := outputs(t)
		s := testStreams(t, func(j *runner.Job) { j.Hold = test.hold })
		for i, text := range []string{first, second} {
			if _, err := attempt(t, s, says(t, text, text)); err != nil {
				t.Error(err)
			}
			var err error
			switch {
			case i == 0:
				err = errors.Join(s.Settle(), s.Renew())
			case !test.success:
				err = s.Settle()
			}
			if err != nil {
				t.Error(err)
			}
		}
		if err := s.Deliver(test.success); err != nil {
			t.Error(err)
		}
		screen.shows(t, test.name, test.output, test.error)
	}
}

// A success that is followed by another attempt, as in a streak, leaves nothing on standard output.
func TestHeldOutputOfAStreak(t *testing.T) {
	screen := outputs(t)
	s := testStreams(t, func(j *runner.Job) { j.Hold[0] = runner.Success })
	for _, text := range []string{"one\n", "two\n"} {
		if _, err := attempt(t, s, says(t, text, "")); err != nil {
			t.Error(err)
		}
		if text == "one\n" {
			if err := s.Renew(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := s.Deliver(false); err != nil {
		t.Error(err)
	}
	screen.shows(t, "at the end", "", "one\ntwo\n")
	if got := s.Delivered(); got != 8 {
		t.Errorf("%d bytes were delivered", got)
	}
}

// A failure to write out held output is an error on standard output, but not on standard error.
func TestHeldOutputWithoutReader(t *testing.T) {
	for descriptor := 1; descriptor <= 2; descriptor++ {
		outputs(t)
		reader, writer := pair(t)
		replace(t, descriptor, writer)
		reader.Close()
		s := testStreams(t, func(j *runner.Job) { j.Hold = [2]runner.Holding{runner.Last, runner.Last} })
		if _, err := attempt(t, s, says(t, "a", "b")); err != nil {
			t.Error(err)
		}
		err := s.Deliver(true)
		if want := "standard output: broken pipe"; descriptor == 1 && (!errors.Is(err, unix.EPIPE) || err.Error() != want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if descriptor == 2 && err != nil {
			t.Errorf("standard error: %v", err)
		}
	}
}

// The idle timeout counts from the last byte that the command has printed to any stream.
func TestIdleLeft(t *testing.T) {
	outputs(t)
	s := testStreams(t, func(j *runner.Job) { j.IdleTimeout = 10 * time.Second })
	now := 20 * time.Second
	if _, exit, err := s.Open(); err != nil {
		t.Fatal(err)
	} else {
		s.Start(func() time.Duration { return now })
		exit()
	}
	if err := s.Finish(nil, &policy.Outcome{}); err != nil {
		t.Error(err)
	}
	for at, want := range map[time.Duration]time.Duration{20 * time.Second: 10 * time.Second, 29 * time.Second: time.Second, 32 * time.Second: -2 * time.Second} {
		if got := s.IdleLeft(at); got != want {
			t.Errorf("at %v: %v left, want %v", at, got, want)
		}
	}
	for _, text := range [][2]string{{"x", ""}, {"", "x"}, {"", ""}} {
		files, exit, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		s.Start(func() time.Duration { return now })
		s.Printed(0)
		says(t, text[0], text[1])(files)
		exit()
		if err := s.Finish(nil, &policy.Outcome{}); err != nil {
			t.Error(err)
		}
		want := 10 * time.Second
		if text == [2]string{} {
			want -= now
		}
		if got := s.IdleLeft(now); got != want {
			t.Errorf("%q was printed, and %v are left, want %v", text, got, want)
		}
	}
}

// A line of retry's own starts on a fresh line if the command has left an incomplete one.
func TestOnFreshLine(t *testing.T) {
	line := func(s *Streams) string { return string(s.OnFreshLine([]byte("retry: \n"))) }
	outputs(t)
	live := testStreams(t, func(j *runner.Job) { j.Rules = patterns(t, "stderr:x") })
	held := testStreams(t, func(j *runner.Job) { j.Hold[1] = runner.Last })
	success := testStreams(t, func(j *runner.Job) { j.Hold[0], j.Rules = runner.Success, patterns(t, "stderr:x") })
	inherited := testStreams(t, func(j *runner.Job) { j.Rules = patterns(t, "stdout:x") })
	for _, test := range []struct {
		name          string
		streams       *Streams
		output, error string
		then          func(*Streams) error
		fresh         bool
	}{
		{"an incomplete line", live, "", "50%", nil, true},
		{"a line", live, "", "done\n", nil, false},
		{"a line completed later", live, "", "50%\n", nil, false},
		{"other output", live, "50%", "", nil, false},
		{"what is held", held, "", "50%", nil, false},
		{"what was held", held, "", "50%", func(s *Streams) error { return s.Deliver(true) }, true},
		{"nothing that was held", held, "", "", func(s *Streams) error { return s.Deliver(true) }, false},
		{"what a failure had held", success, "50%", "", (*Streams).Settle, true},
		{"what a success had held", success, "50%", "", func(s *Streams) error { return s.Deliver(true) }, false},
		{"what retry doesn't see", inherited, "", "50%", nil, false},
	} {
		if _, err := attempt(t, test.streams, says(t, test.output, test.error)); err != nil {
			t.Error(err)
		}
		if test.then != nil {
			if err := test.then(test.streams); err != nil {
				t.Error(err)
			}
		}
		if got, want := line(test.streams), map[bool]string{true: "\nretry: \n", false: "retry: \n"}[test.fresh]; got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		if got := line(test.streams); got != "retry: \n" {
			t.Errorf("%s: the next line is %q", test.name, got)
		}
	}
}

// If both outputs are the same file, what the command writes to either counts, provided that retry sees both.
func TestOnFreshLineOfOnePlace(t *testing.T) {
	for _, test := range []struct {
		pattern string
		fresh   bool
	}{{"output:x", true}, {"stderr:x", false}} {
		outputs(t)
		replace(t, 1, os.Stderr)
		s := testStreams(t, func(j *runner.Job) { j.Rules = patterns(t, test.pattern) })
		if _, err := attempt(t, s, says(t, "50%", "")); err != nil {
			t.Error(err)
		}
		if got := string(s.OnFreshLine([]byte("x"))); (got == "\nx") != test.fresh {
			t.Errorf("%s: %q", test.pattern, got)
		}
	}
}

// --judge reads the whole standard output of the last attempt, from memory or from a file.
func TestQuestion(t *testing.T) {
	outputs(t)
	s := testStreams(t, func(j *runner.Job) { j.Judge = []string{"jq"} })
	for _, text := range []string{"first\n", strings.Repeat("second\n", 30000), ""} {
		if _, err := attempt(t, s, says(t, text, "no\n")); err != nil {
			t.Error(err)
		}
		for ask, want := range map[bool]string{true: text, false: ""} {
			input, feed, err := s.OpenQuestion(runner.Question{Output: ask})
			if err != nil {
				t.Fatal(err)
			}
			stop := feed()
			if got, err := io.ReadAll(input); string(got) != want || err != nil {
				t.Errorf("it reads %.50q, want %.50q, %v", got, want, err)
			}
			stop()
			input.Close()
		}
		// A command that doesn't read all of it doesn't block retry.
		_, feed, err := s.OpenQuestion(runner.Question{Output: true})
		if err != nil {
			t.Fatal(err)
		}
		feed()()
		if err := s.Renew(); err != nil {
			t.Error(err)
		}
	}
	inherited := testStreams(t, func(*runner.Job) {})
	input, feed, err := inherited.OpenQuestion(runner.Question{Output: true})
	if err != nil {
		t.Fatal(err)
	}
	feed()()
	if got, err := io.ReadAll(input); len(got) > 0 || err != nil {
		t.Errorf("without kept output: %q, %v", got, err)
	}
}

// A question that has been stopped has let go of the output, which the next attempt replaces.
func TestQuestionStops(t *testing.T) {
	outputs(t)
	s := testStreams(t, func(j *runner.Job) { j.Judge = []string{"jq"} })
	if _, err := attempt(t, s, says(t, strings.Repeat("x", 2*pipeCapacity), "")); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		input, feed, err := s.OpenQuestion(runner.Question{Output: true})
		if err != nil {
			t.Fatal(err)
		}
		stop := feed()
		reads(t, 1, new(string))([3]*os.File{input}) // so that the feeding has begun
		stop()
		if _, _, open := queued(console.Poll, int(input.Fd())); open {
			t.Fatal("the feeding goes on")
		}
		input.Close()
	}
}

// What a background process writes after the command's exit is passed on for Lingering, and no longer.
func TestOutputHeldByDaemon(t *testing.T) {
	t.Parallel()
	s := testStreams(t, func(j *runner.Job) { j.Hold[0] = runner.Last })
	files, exit := begun(t, s)
	descriptor, err := unix.FcntlInt(files[1].Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	daemon := os.NewFile(uintptr(descriptor), "daemon")
	defer daemon.Close()
	exit()
	write(t, daemon, "late\n")
	began := time.Now()
	if err := s.Finish(nil, &policy.Outcome{}); err != nil {
		t.Error(err)
	}
	var held strings.Builder
	if err := s.output[0].held.moveTo(&held); err != nil || time.Since(began) < Lingering || held.String() != "late\n" {
		t.Errorf("after %v there is %q, %v", time.Since(began), &held, err)
	}
	if _, err := daemon.WriteString("later\n"); err == nil {
		t.Error("the daemon could still write")
	}
}
