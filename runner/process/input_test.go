//go:build linux

package process_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The kernel counts the bytes that have been read from a TCP connection. The end of the stream, which nobody may have
// read, is counted apart.
func TestTCPInput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, command string
		end           bool // the end arrives during attempt 1, instead of more data
		attempts      string
	}{
		{"untouched", "true", false, "123"},
		{"untouched, with an end", "true", true, "123"},
		{"begun", "dd bs=1 count=1 of=/dev/null 2>/dev/null", false, "1"},
		{"begun, with an end", "dd bs=1 count=1 of=/dev/null 2>/dev/null", true, "1"},
		{"all", "cat >/dev/null", true, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			peer, own := connection(t)
			if _, err := io.WriteString(peer, "bytes"); err != nil {
				t.Fatal(err)
			}
			awaitReceived(t, own, 5)
			f := flowing(t, "-n", "3", "--delay", "0", "--", "sh", "-c",
				"printf $RETRY_ATTEMPT; "+test.command+"; until [ -e come ]; do sleep 0.01; done; exit 3")
			f.Stdin = own
			f.start()
			f.awaits("stdout", "1")
			if test.end {
				if err := peer.CloseWrite(); err != nil {
					t.Fatal(err)
				}
				awaitReceived(t, own, 6)
			} else {
				if _, err := io.WriteString(peer, "more"); err != nil {
					t.Fatal(err)
				}
				awaitReceived(t, own, 9)
			}
			f.create("come")
			f.exits(3)
			f.wrote("stdout", test.attempts)
			said := f.read("stderr")
			if strings.Contains(said, "standard input was consumed") != (test.attempts == "1") {
				t.Errorf("retry said %q", said)
			}
		})
	}
}

// connection returns both ends of a TCP connection.
func connection(t *testing.T) (peer *net.TCPConn, own *os.File) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialed, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialed.Close() })
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	if own, err = accepted.(*net.TCPConn).File(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	return dialed.(*net.TCPConn), own
}

// awaitReceived waits until this many bytes have been received, counting the end of the stream as one.
func awaitReceived(t *testing.T, own *os.File, want uint64) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		info, err := unix.GetsockoptTCPInfo(int(own.Fd()), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			t.Fatal(err)
		}
		if info.Bytes_received == want {
			return
		}
		if time.Since(began) > soon {
			t.Fatalf("%d bytes have been received, want %d", info.Bytes_received, want)
		}
	}
}

// A pipe that retry may not open, such as another user's, can't be watched. Retry then compares what is queued in it,
// and says so if that leaves doubt.
func TestInputThatCannotBeWatched(t *testing.T) {
	t.Parallel()
	const was, perhaps = "standard input was consumed", "standard input may have been consumed"
	lines := strings.Repeat("one line\nand another\n", 10000)
	for _, test := range []struct {
		name, queued, command, attempts, said string
	}{
		{"untouched", "some text", "true", "123", "giving up after 3 attempts"},
		{"nothing", "", "true", "123", "giving up after 3 attempts"},
		{"begun", "some text", "dd bs=1 count=1 of=/dev/null 2>/dev/null", "1", was},
		{"refilled", "1\n2\n3\n4\n5\n6\n7\n8\n" + lines, "head -n 1 >/dev/null; sleep 0.1", "1", was},
		{"alike", lines, "true", "1", perhaps},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := flowing(t, "-n", "3", "--delay", "0", "--", "sh", "-c", "printf $RETRY_ATTEMPT; "+test.command+"; exit 3")
			r, w := f.pipe()
			if err := r.Chmod(0); err != nil {
				t.Fatal(err)
			}
			f.Stdin = r
			if os.Getuid() == 0 { // root may open anything
				const nobody = 65534
				for _, path := range []string{f.dir, filepath.Dir(f.dir)} {
					if err := os.Chmod(path, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				f.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
			}
			queued := make(chan struct{})
			go func() {
				half := min(len(test.queued), 1<<16)
				_, _ = io.WriteString(w, test.queued[:half])
				close(queued)
				_, _ = io.WriteString(w, test.queued[half:])
			}()
			<-queued
			f.exits(3)
			f.wrote("stdout", test.attempts)
			if said := f.read("stderr"); !strings.Contains(said, test.said) {
				t.Errorf("retry said %q", said)
			}
			r.Close()
		})
	}
}
