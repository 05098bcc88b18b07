package stream

import "golang.org/x/sys/unix"

// fionread asks how many bytes can be read.
const fionread = unix.TIOCINQ

// watch is an inotify watch for reads of retry's standard input, by anybody. The kernel reports each read(2) that got
// something, from a pipe, a FIFO or a socket, since there is inotify (2.6.13); reads by io_uring since 5.19, by splice(2)
// since 6.6. 6.14 switched the events off for most files without a name, and left them on for pipes and sockets. It
// doesn't report recv(2).
//
// Closing a watch that has seen nothing takes the kernel some 15 ms.
type watch struct {
	descriptor int // 0 as long as there is none
	consumed   bool
}

// begin begins to watch, if the kernel allows that and is found to report reads. It doesn't allow to watch another user's
// pipe.
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

// complete reports whether a read that the watch has not seen can't have been.
func (w *watch) complete(socket bool) bool { return w.descriptor != 0 && !socket }

// watchReads adds a watch that reports one read.
func watchReads(descriptor int, path string) bool {
	_, err := unix.InotifyAddWatch(descriptor, path, unix.IN_ACCESS|unix.IN_ONESHOT)
	return err == nil
}

// reported takes a report.
func reported(descriptor int) bool {
	var events [4 * (unix.SizeofInotifyEvent + unix.NAME_MAX + 1)]byte
	for {
		n, err := unix.Read(descriptor, events[:])
		if err != unix.EINTR {
			return n > 0
		}
	}
}

// reportsReads tries on a pipe of its own whether the system, which may only pretend to be Linux, reports a read.
func reportsReads(descriptor int) bool {
	var pipe [2]int
	if unix.Pipe2(pipe[:], unix.O_CLOEXEC|unix.O_NONBLOCK) != nil {
		return false
	}
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	var block [1]byte
	if !watchReads(descriptor, descriptorPath(pipe[0])) || reported(descriptor) {
		return false
	}
	if _, err := unix.Write(pipe[1], block[:]); err != nil || reported(descriptor) {
		return false
	}
	_, err := unix.Read(pipe[0], block[:])
	return err == nil && reported(descriptor)
}

// takenFromTCP returns how many bytes of a TCP connection have been read: what it has received less what is queued. The
// kernel counts the end of the stream as one byte received once that has come.
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

// peekPipe returns the beginning of what is queued in a pipe.
func peekPipe(queued int) []byte {
	var copied [2]int
	if queued == 0 || unix.Pipe2(copied[:], unix.O_CLOEXEC|unix.O_NONBLOCK) != nil {
		return nil
	}
	defer unix.Close(copied[0])
	defer unix.Close(copied[1])
	if n, err := unix.Tee(0, copied[1], headSize, unix.SPLICE_F_NONBLOCK); n <= 0 || err != nil {
		return nil
	}
	head := make([]byte, headSize)
	n, err := unix.Read(copied[0], head)
	if err != nil {
		return nil
	}
	return head[:n]
}
