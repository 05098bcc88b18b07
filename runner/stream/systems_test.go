//go:build unix

package stream

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner/console"
)

// kernel answers poll(2) for pipes as another system does. How they answer was read in their sources: xnu's
// bsd/kern/sys_generic.c and sys_pipe.c, and FreeBSD's sys/kern/sys_pipe.c.
type kernel struct {
	name string
	// ignoresSilent ignores descriptors for which no event was requested.
	ignoresSilent bool
	// hangsUp reports by POLLHUP instead of POLLERR that a pipe has lost its reader, and adds POLLIN to the POLLHUP of
	// a pipe that has lost its writer.
	hangsUp bool

	calls atomic.Int64 // waits without a limit that have begun, and others that have ended
	stuck atomic.Int64 // calls that would never have returned, from which the shim returns
}

func kernels() []*kernel {
	return []*kernel{
		{name: runtime.GOOS},
		{name: "xnu", ignoresSilent: true, hangsUp: true},
		{name: "FreeBSD", hangsUp: true},
	}
}

func (k *kernel) poll(descriptors []unix.PollFd, milliseconds int) {
	if milliseconds < 0 {
		k.calls.Add(1)
	} else {
		defer k.calls.Add(1)
	}
	asked := make([]unix.PollFd, len(descriptors))
	watched := 0
	for i, at := range descriptors {
		if asked[i] = at; k.ignoresSilent && at.Events == 0 {
			asked[i].Fd = -1
		} else {
			watched++
		}
	}
	if watched == 0 && milliseconds < 0 {
		k.stuck.Add(1)
		return
	}
	console.Poll(asked, min(milliseconds, 0)) // a limited wait ends at once, as if its time had passed
	for i, at := range asked {
		if k.hangsUp && at.Revents&unix.POLLERR != 0 {
			at.Revents ^= unix.POLLERR | unix.POLLHUP
		}
		if k.hangsUp && at.Revents&unix.POLLHUP != 0 {
			at.Revents |= at.Events & unix.POLLIN
		}
		descriptors[i].Revents = at.Revents
	}
}

// pair returns a pipe.
func pair(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close(); writer.Close() })
	return reader, writer
}

// ways are awaitReader's ways to wait, and the kernels on which they work.
var ways = []struct {
	name     string
	silently bool
	works    func(*kernel) bool
}{
	{"silently", true, func(k *kernel) bool { return !k.ignoresSilent }},
	{"polling", false, func(*kernel) bool { return true }},
}

// TestReaderGoes closes the read end of a pipe before or during the wait. Whether the wait has begun can't be found
// out, so a wait that begins too late makes the second case the same as the first.
func TestReaderGoes(t *testing.T) {
	for _, when := range []string{"before", "during"} {
		for _, way := range ways {
			for _, k := range kernels() {
				if !way.works(k) {
					continue
				}
				t.Run(k.name+"/"+way.name+"/"+when, func(t *testing.T) {
					reader, writer := pair(t)
					cancel, hold := pair(t)
					if readerHasGone(k.poll, int(writer.Fd())) {
						t.Error("a reader that is there has gone")
					}
					if when == "before" {
						reader.Close()
					}
					gone := make(chan bool, 1)
					go func() { gone <- awaitReader(k.poll, int(writer.Fd()), int(cancel.Fd()), way.silently) }()
					for k.calls.Load() < 2 {
						runtime.Gosched()
					}
					reader.Close()
					if !answer(t, gone) {
						t.Error("the loss of the reader was not noticed")
					}
					if !readerHasGone(k.poll, int(writer.Fd())) {
						t.Error("the reader is still there")
					}
					hold.Close()
				})
			}
		}
	}
}

// TestWatchEnds guards against a thread and a descriptor left behind by every sleep.
func TestWatchEnds(t *testing.T) {
	for _, way := range ways {
		for _, k := range kernels() {
			t.Run(k.name+"/"+way.name, func(t *testing.T) {
				_, writer := pair(t)
				cancel, hold := pair(t)
				gone := make(chan bool, 1)
				go func() { gone <- awaitReader(k.poll, int(writer.Fd()), int(cancel.Fd()), way.silently) }()
				for k.calls.Load() < 1 {
					runtime.Gosched()
				}
				hold.Close()
				if answer(t, gone) {
					t.Error("a reader that is there has gone")
				}
				if n := k.calls.Load(); way.silently && n != 1 {
					t.Errorf("polled %d times", n)
				}
				if k.stuck.Load() > 0 {
					t.Error("a call would never have returned")
				}
			})
		}
	}
}

// answer waits for an answer.
func answer(t *testing.T, from <-chan bool) bool {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(40 * time.Second):
		t.Fatal("the wait did not end")
		return false
	}
}

// TestKernelsDiffer makes sure that the shims do what they are for. A wait for POLLERR alone, with no event requested,
// works here. On one of them it never returns, and on neither does it notice that the reader has gone.
func TestKernelsDiffer(t *testing.T) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			reader, writer := pair(t)
			cancel, hold := pair(t)
			reader.Close()
			at := []unix.PollFd{{Fd: int32(writer.Fd())}, {Fd: int32(cancel.Fd())}}
			k.poll(at, -1)
			if stuck := k.stuck.Load() > 0; stuck != k.ignoresSilent {
				t.Errorf("stuck: %v", stuck)
			}
			if seen := at[0].Revents&unix.POLLERR != 0; seen == (k.ignoresSilent || k.hangsUp) {
				t.Errorf("the loss of the reader was noticed: %v", seen)
			}
			hold.Close()
			input := []unix.PollFd{{Fd: int32(cancel.Fd()), Events: unix.POLLIN}}
			k.poll(input, 0)
			if seemsFull := input[0].Revents&unix.POLLIN != 0; seemsFull != k.hangsUp {
				t.Errorf("an empty pipe seems to have something: %v", seemsFull)
			}
		})
	}
}

// TestEmptied guards against taking an input that has been read to its end for one that can be given to the next attempt.
func TestEmptied(t *testing.T) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			reader, writer := pair(t)
			input := int(reader.Fd())
			check := func(what string, wantBytes int, wantOpen bool) evidence {
				t.Helper()
				bytes, _, open := queued(k.poll, input)
				if bytes != wantBytes || open != wantOpen {
					t.Errorf("%s: %d bytes, open: %v", what, bytes, open)
				}
				return evidence{queued: bytes, open: open}
			}
			empty := check("empty", 0, true)
			if _, err := writer.WriteString("abcde"); err != nil {
				t.Fatal(err)
			}
			check("written to", 5, true)
			writer.Close()
			full := check("closed", 5, false)
			if _, err := reader.Read(make([]byte, 8)); err != nil {
				t.Fatal(err)
			}
			emptied := check("emptied", 0, false)
			if got := full.compare(emptied); got != policy.Consumed {
				t.Errorf("what was emptied: %v", got)
			}
			if got := empty.compare(emptied); got != policy.PerhapsConsumed {
				t.Errorf("what was filled and emptied: %v", got)
			}
		})
	}
}

// TestPipesWithoutNumbers guards against taking different pipes for the same where all of them have the number 0.
func TestPipesWithoutNumbers(t *testing.T) {
	for _, test := range []struct {
		one, other unix.Stat_t
		want       bool
	}{
		{unix.Stat_t{}, unix.Stat_t{}, false},
		{unix.Stat_t{Ino: 5}, unix.Stat_t{Ino: 5}, true},
		{unix.Stat_t{Ino: 5}, unix.Stat_t{Ino: 6}, false},
		{unix.Stat_t{Ino: 5, Dev: 1}, unix.Stat_t{Ino: 5, Dev: 2}, false},
	} {
		if got := isSame(&test.one, &test.other); got != test.want {
			t.Errorf("%d:%d and %d:%d: %v", test.one.Dev, test.one.Ino, test.other.Dev, test.other.Ino, got)
		}
	}
}
