package stream

import "golang.org/x/sys/unix"

// fionread is the ioctl that returns how many bytes can be read.
const fionread = unix.TIOCINQ

// watch is an inotify watch for reads of retry's standard input by any process. Linux has reported every read(2) that
// returned data from a pipe, a FIFO or a socket since 2.6.13, reads by io_uring since 5.19, and splice(2) since 6.6.
// Linux 6.14 turned these events off for most files without a name, but not for pipes and sockets. recv(2) is not
// reported.
//
// Closing a watch that has seen nothing takes the kernel about 15 ms.
type watch struct {
	descriptor int // 0 for none
	consumed   bool
}

// begin starts to watch, if the kernel allows it and proves to report reads. Another user's pipe can't be watched.
func (w *watch) begin() {
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return
	}
	if reportsReads(descriptor) && watchReads(descriptor, "/proc/self/fd/0") {
		w.descriptor = descriptor
	} else {
		unix.Close(descriptor)
	}
}

// seen reports whether anything has been read since the watch began.
func (w *watch) seen() bool {
	w.consumed = w.consumed || w.descriptor != 0 && reported(w.descriptor)
	return w.consumed
}

// complete reports whether no read can escape the watch. A read of a socket by recv(2) can.
func (w *watch) complete(socket bool) bool { return w.descriptor != 0 && !socket }

// watchReads adds a watch that reports a single read.
func watchReads(descriptor int, path string) bool {
	_, err := unix.InotifyAddWatch(descriptor, path, unix.IN_ACCESS|unix.IN_ONESHOT)
	return err == nil
}

// reported consumes the pending events and reports whether there were any.
func reported(descriptor int) bool {
	// A watch causes two events at most, the second when it ends. Those of a file have no name.
	var events [4 * unix.SizeofInotifyEvent]byte
	_, err := unix.Read(descriptor, events[:])
	return err == nil
}

// reportsReads tests with a pipe of its own whether the system reports reads. One that only pretends to be Linux may not.
func reportsReads(descriptor int) bool {
	var pipe [2]int
	if unix.Pipe2(pipe[:], unix.O_CLOEXEC) != nil {
		return false
	}
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	var block [1]byte
	if !watchReads(descriptor, descriptorPath(pipe[0])) {
		return false
	}
	if _, err := unix.Write(pipe[1], block[:]); err != nil || reported(descriptor) {
		return false
	}
	_, _ = unix.Read(pipe[0], block[:])
	return reported(descriptor)
}

// takenFromTCP returns how many bytes have been read from the TCP connection on standard input: those received less
// those queued. Once the end of the stream has been received, the kernel counts it as one more byte.
func takenFromTCP() (taken uint64, counted bool) {
	info, err := unix.GetsockoptTCPInfo(0, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return 0, false
	}
	queued, err := unix.IoctlGetInt(0, fionread)
	if err != nil {
		return 0, false
	}
	taken = info.Bytes_received - uint64(queued)
	switch info.State {
	case unix.BPF_TCP_CLOSE_WAIT, unix.BPF_TCP_LAST_ACK, unix.BPF_TCP_CLOSING, unix.BPF_TCP_TIME_WAIT:
		taken--
	}
	return taken, true
}

// peekPipe returns the first of the bytes queued in the pipe on standard input, without consuming them.
func peekPipe(queued int) []byte {
	var copied [2]int
	if queued == 0 || unix.Pipe2(copied[:], unix.O_CLOEXEC) != nil {
		return nil
	}
	defer unix.Close(copied[0])
	defer unix.Close(copied[1])
	n, err := unix.Tee(0, copied[1], headSize, unix.SPLICE_F_NONBLOCK)
	if err != nil {
		return nil
	}
	head := make([]byte, n)
	_, _ = unix.Read(copied[0], head)
	return head
}
