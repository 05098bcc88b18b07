//go:build unix

package stream

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe has lost its reader once nobody has its other end open. Anything else has no reader to lose.
func TestReaderHasGone(t *testing.T) {
	outputs(t)
	if gone, release := WatchReader(); gone != nil || ReaderHasGone() {
		t.Error("a file has a reader")
	} else {
		release()
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(ends[1])
	socket := os.NewFile(uintptr(ends[0]), "socket")
	replace(t, 1, socket)
	socket.Close()
	if gone, release := WatchReader(); gone != nil || ReaderHasGone() {
		t.Error("a socket counts as a pipe")
	} else {
		release()
	}
	reader, writer := pair(t)
	replace(t, 1, writer)
	writer.Close()
	gone, release := WatchReader()
	if gone == nil || ReaderHasGone() {
		t.Error("a reader that is there has gone")
	}
	defer release()
	select {
	case <-gone:
		t.Error("a reader that is there is said to have gone")
	default:
	}
	reader.Close()
	if !ReaderHasGone() {
		t.Error("the reader is still there")
	}
	<-gone
}

// A watch that has been released leaves nothing behind.
func TestWatchReaderEnds(t *testing.T) {
	_, writer := pair(t)
	replace(t, 1, writer)
	before := runtime.NumGoroutine()
	_, release := WatchReader()
	if runtime.NumGoroutine() == before {
		t.Error("nothing watches")
	}
	release()
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}
