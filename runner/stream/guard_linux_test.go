package stream

import (
	"io"
	"net"
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

// A reading is what becomes of an input during an attempt.
type reading struct {
	name   string
	before string // written before the attempt
	closed bool   // and then the end of it
	later  string // written during the attempt, before it reads
	ends   bool   // and then the end of it
	takes  int    // how many bytes the attempt reads
	// The result for a pipe, which is watched, and for TCP, where the bytes are counted.
	want policy.Spent
	// The result for another socket, which is read by recv(2), so that no watch sees it.
	unseen policy.Spent
}

// What an attempt reads from a pipe or a socket, the next one lacks. What it leaves, and the end even if it has found
// that, the next one finds too.
func TestGuardedInput(t *testing.T) {
	outputs(t)
	const unspent, perhaps, consumed = policy.Unspent, policy.PerhapsConsumed, policy.Consumed
	for kind, input := range inputs {
		for _, r := range []reading{
			{"reads nothing", "text\nmore", false, "", false, 0, unspent, unspent},
			{"reads nothing before the end", "text\nmore", true, "", false, 0, unspent, unspent},
			{"reads nothing of what repeats", "yes\nyes\n", false, "", false, 0, unspent, perhaps},
			{"reads a byte", "text\nmore", false, "", false, 1, consumed, consumed},
			{"reads a byte before the end", "text\nmore", true, "", false, 1, consumed, consumed},
			{"reads all", "text\nmore", false, "", false, 9, consumed, consumed},
			{"reads the end", "", true, "", false, 1, unspent, unspent},
			{"reads what arrived", "text\n", false, "more", true, 9, consumed, consumed},
			{"reads all that arrived, and the end", "", false, "more", true, 5, consumed, perhaps},
			{"leaves the end", "text\n", false, "", true, 0, unspent, unspent},
			{"leaves what arrived", "", false, "more", false, 0, unspent, perhaps},
			{"reads as much as arrived", "text\n", false, "more\n", false, 5, consumed, consumed},
		} {
			want := r.want
			if strings.HasPrefix(kind, "socket") {
				want = r.unseen
			}
			for tries := 0; !r.try(t, kind, input, want); tries++ {
				short(t, &tries)
			}
		}
	}
}

// try makes an attempt, unless the guard had no watch for it.
func (r reading) try(t *testing.T, kind string, input func(t *testing.T) io.WriteCloser, want policy.Spent) bool {
	t.Helper()
	writer := input(t)
	write(t, writer, r.before)
	if r.closed {
		writer.Close()
	}
	arrived(t, len(r.before), r.closed)
	s := testStreams(t, func(j *runner.Job) { j.Stdin = runner.Guarded })
	defer release(s)
	if _, err := attempt(t, s, func([3]*os.File) {
		if r.later != "" {
			write(t, writer, r.later)
		}
		if r.ends {
			writer.Close()
		}
		arrived(t, len(r.before+r.later), r.ends)
		receives(t, r.takes)
	}); err != nil {
		t.Error(err)
	}
	if unwatched(s) {
		return false
	}
	for _, when := range []string{"", ", asked again"} {
		if spent := s.Spent(); spent != want {
			t.Errorf("%s: an attempt that %s%s: %v, want %v", kind, r.name, when, spent, want)
		}
	}
	return true
}

// receives reads n bytes of standard input, or all of them if that is less, from a socket by recv(2).
func receives(t *testing.T, n int) {
	t.Helper()
	block := make([]byte, 1)
	for range n {
		got, _, err := unix.Recvfrom(0, block, 0)
		if err == unix.ENOTSOCK {
			got, err = unix.Read(0, block)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got == 0 {
			return
		}
	}
}

// unwatched reports whether a guard goes without the watch that it has asked for.
func unwatched(s *Streams) bool {
	g := &s.input.guard
	return g.begun && g.watch.descriptor == 0
}

// short waits, if there was no watch because the user has too many, until there is one to spare. It fails the test if
// there is none again and again although the user may have more.
func short(t *testing.T, tries *int) {
	t.Helper()
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == unix.EMFILE {
		*tries = 0
	}
	for err == unix.EMFILE {
		time.Sleep(10 * time.Millisecond)
		descriptor, err = unix.InotifyInit1(unix.IN_CLOEXEC)
	}
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(descriptor)
	if *tries == 100 {
		t.Fatal("there is no watch")
	}
}

// A watch reports a read by read(2) of any input, once and for all, and the command doesn't inherit it.
func TestWatch(t *testing.T) {
	for kind, input := range inputs {
		writer := input(t)
		write(t, writer, "text")
		arrived(t, 4, false)
		w := begunWatch(t)
		if flags, err := unix.FcntlInt(uintptr(w.descriptor), unix.F_GETFD, 0); flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("%s: the command inherits the watch: %v", kind, err)
		}
		if w.seen() {
			t.Errorf("%s: a read is reported before there was one", kind)
		}
		var got string
		reads(t, 1, &got)([3]*os.File{os.Stdin})
		for range 2 {
			if !w.seen() {
				t.Errorf("%s: a read is not reported", kind)
			}
		}
		unix.Close(w.descriptor)
	}
}

// begunWatch returns a watch of standard input. The caller closes it.
func begunWatch(t *testing.T) watch {
	t.Helper()
	for tries := 0; ; tries++ {
		var w watch
		if w.begin(); w.descriptor != 0 {
			return w
		}
		short(t, &tries)
	}
}

// A system that reports what has not been read is not believed.
func TestWatchOfNonsense(t *testing.T) {
	inputText(t, "text")
	w := begunWatch(t)
	defer unix.Close(w.descriptor)
	var got string
	reads(t, 1, &got)([3]*os.File{os.Stdin})
	if reportsReads(w.descriptor) {
		t.Error("a report that came before the read is believed")
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
	kinds := map[string]int{"pipe": 1, "socket": 1, "TCP": 0, "closed pipe": 0}
	for tries := 0; len(kinds) > 0; tries++ {
		watchOnce(t, kinds)
		if len(kinds) > 0 {
			short(t, &tries)
		}
	}
}

// watchOnce tries the kinds of input and forgets those for which there is a result.
func watchOnce(t *testing.T, kinds map[string]int) {
	t.Helper()
	for kind, want := range kinds {
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
		if unwatched(s) {
			continue
		}
		delete(kinds, kind)
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
