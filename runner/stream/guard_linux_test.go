package stream

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner"
	"retry/runner/console"
)

// inputs are kinds of standard input that can't be given again. Each returns a writer to it.
var inputs = map[string]func(t *testing.T) io.WriteCloser{
	"pipe": func(t *testing.T) io.WriteCloser { return inputPipe(t) },
	"socket that is shut down": func(t *testing.T) io.WriteCloser {
		return shutDown{inputSocket(t)}
	},
	"socket": func(t *testing.T) io.WriteCloser { return inputSocket(t) },
	"TCP": func(t *testing.T) io.WriteCloser {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		writer, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { writer.Close() })
		accepted, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
		input, err := accepted.(*net.TCPConn).File()
		if err != nil {
			t.Fatal(err)
		}
		replace(t, 0, input)
		input.Close()
		return writer
	},
}

// inputSocket makes a socket of standard input, and returns the other end.
func inputSocket(t *testing.T) *os.File {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	input, writer := os.NewFile(uintptr(ends[0]), "input"), os.NewFile(uintptr(ends[1]), "writer")
	t.Cleanup(func() { writer.Close() })
	replace(t, 0, input)
	input.Close()
	return writer
}

// shutDown is a socket that is closed in one direction only, as Node does it.
type shutDown struct{ *os.File }

func (s shutDown) Close() error { return unix.Shutdown(int(s.Fd()), unix.SHUT_WR) }

// arrived waits until this many bytes can be read from standard input and, if end is true, its end has come.
func arrived(t *testing.T, bytes int, end bool) {
	t.Helper()
	for {
		n, err := unix.IoctlGetInt(0, fionread)
		if err != nil {
			t.Fatal(err)
		}
		if n >= bytes {
			break
		}
		runtime.Gosched()
	}
	if end {
		console.Poll([]unix.PollFd{{Fd: 0, Events: unix.POLLRDHUP}}, -1)
	}
}

// What an attempt reads from a pipe or a socket, the next one lacks. What it leaves, and the end even if it has found
// that, the next one finds too.
func TestGuardedInput(t *testing.T) {
	outputs(t)
	for kind, input := range inputs {
		for _, test := range []struct {
			name          string
			before        string // written before the attempt
			closed        bool   // and then the end of it
			takes         int
			later         string // written during the attempt, before it reads
			ends          bool   // and then the end of it
			want, perhaps policy.Spent
		}{
			{"reads nothing", "text\nmore", false, 0, "", false, policy.Unspent, policy.Unspent},
			{"reads nothing before the end", "text\nmore", true, 0, "", false, policy.Unspent, policy.Unspent},
			{"reads a byte", "text\nmore", false, 1, "", false, policy.Consumed, policy.Consumed},
			{"reads a byte before the end", "text\nmore", true, 1, "", false, policy.Consumed, policy.Consumed},
			{"reads all", "text\nmore", false, 9, "", false, policy.Consumed, policy.Consumed},
			{"reads the end", "", true, 1, "", false, policy.Unspent, policy.Unspent},
			{"reads what arrived", "text\n", false, 9, "more", true, policy.Consumed, policy.Consumed},
			{"leaves the end", "text\n", false, 0, "", true, policy.Unspent, policy.Unspent},
			{"leaves what arrived", "", false, 0, "more", false, policy.Unspent, policy.PerhapsConsumed},
			{"reads as much as arrived", "text\n", false, 5, "more\n", false, policy.Consumed, policy.Consumed},
		} {
			if kind == "TCP" {
				test.perhaps = test.want // the system counts what is read
			}
			writer := input(t)
			write(t, writer, test.before)
			if test.closed {
				writer.Close()
			}
			arrived(t, len(test.before), test.closed)
			s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Guarded })
			var got string
			if _, err := attempt(t, s, func(files [3]*os.File) {
				if test.later != "" {
					write(t, writer, test.later)
				}
				if test.ends {
					writer.Close()
				}
				if test.later != "" || test.ends {
					arrived(t, len(test.before+test.later), test.ends)
				}
				if test.takes > 0 {
					reads(t, test.takes, &got)(files)
				}
			}); err != nil {
				t.Error(err)
			}
			want := test.want
			if g := &s.input.guard; strings.HasPrefix(kind, "socket") || g.begun && g.watch.descriptor == 0 {
				want = test.perhaps // or the user has too many watches
			}
			if spent := s.Spent(); spent != want {
				t.Errorf("%s: an attempt that %s: %v, want %v", kind, test.name, spent, want)
			}
			if spent := s.Spent(); spent != want {
				t.Errorf("%s: an attempt that %s, asked again: %v, want %v", kind, test.name, spent, want)
			}
			release(s)
		}
	}
}

// What was read before the attempt, or in another one, doesn't count.
func TestGuardCountsOneAttempt(t *testing.T) {
	outputs(t)
	for kind, input := range inputs {
		writer := input(t)
		write(t, writer, "abcdefgh")
		arrived(t, 8, false)
		s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Guarded })
		var got string
		reads(t, 2, &got)([3]*os.File{os.Stdin})
		for range 2 {
			if _, err := attempt(t, s, func([3]*os.File) {}); err != nil {
				t.Error(err)
			}
			if spent := s.Spent(); spent != policy.Unspent {
				t.Errorf("%s: %v, want unspent", kind, spent)
			}
		}
		if _, err := attempt(t, s, reads(t, 2, &got)); got != "cd" || err != nil {
			t.Errorf("read %q, %v", got, err)
		}
		if spent := s.Spent(); spent != policy.Consumed {
			t.Errorf("%s: %v, want consumed", kind, spent)
		}
	}
}

// What is queued is seen and left where it is.
func TestPeek(t *testing.T) {
	text := strings.Repeat("0123456789", headSize/5)
	for kind, test := range map[string]struct {
		input func(t *testing.T) *os.File
		peek  func() []byte
	}{
		"pipe":   {inputPipe, func() []byte { queued, _, _ := queued(console.Poll, 0); return peekPipe(queued) }},
		"socket": {inputSocket, peekSocket},
	} {
		writer := test.input(t)
		for _, part := range []string{"", text[:5], text[5:]} {
			write(t, writer, part)
			want := text[:len(part)]
			if len(want) > 5 {
				want = text[:headSize]
			}
			for range 2 {
				if got := string(test.peek()); got != want {
					t.Errorf("%s: %d bytes are seen, %.20q, want %d", kind, len(got), got, len(want))
				}
			}
		}
		writer.Close()
		var got string
		if reads(t, 2*len(text), &got)([3]*os.File{os.Stdin}); got != text {
			t.Errorf("%s: %d bytes are left of %d", kind, len(got), len(text))
		}
	}
}

// One watch is enough for all attempts. What is counted needs none, and neither does what nobody writes to any more.
func TestGuardWatchesOnce(t *testing.T) {
	outputs(t)
	for kind, want := range map[string]int{"pipe": 1, "socket": 1, "TCP": 0, "closed pipe": 0} {
		before := watches(t)
		if kind == "closed pipe" {
			inputText(t, "text")
		} else {
			inputs[kind](t)
		}
		s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Guarded })
		for range 3 {
			if _, err := attempt(t, s, func([3]*os.File) {}); err != nil {
				t.Error(err)
			}
		}
		if g := &s.input.guard; g.begun && g.watch.descriptor == 0 {
			continue // the user has too many
		}
		if got := watches(t) - before; got != want {
			t.Errorf("%s: %d watches, want %d", kind, got, want)
		}
	}
}

// watches is how many instances of inotify this process has.
func watches(t *testing.T) (n int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if to, _ := os.Readlink(link); to == "anon_inode:inotify" {
			n++
		}
	}
	return n
}

// Where reads can't be watched, the time of the last one tells of an input that was read and filled again with the same.
func TestGuardWithoutWatch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	replace(t, 0, writer)
	write(t, writer, "text\n")
	g := &guard{begun: true}
	g.begin()
	if spent := g.spent(); spent != policy.Unspent {
		t.Errorf("what was left: %v", spent)
	}
	become(t, "the time of another read", func() bool {
		var got string
		reads(t, 5, &got)([3]*os.File{os.Stdin})
		write(t, writer, "text\n")
		return g.look().read != g.before.read
	})
	if spent := g.spent(); spent != policy.Consumed {
		t.Errorf("what was read and filled again: %v", spent)
	}
}
