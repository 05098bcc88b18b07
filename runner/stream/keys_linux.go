package stream

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// firstLook is how long a new key is left to programs that read the real terminal before retry looks at it.
	firstLook = 2 * time.Millisecond
	// longestPause is the longest time between two looks at keys that nobody reads.
	longestPause = 200 * time.Millisecond
)

// A keyboard passes keys from the real terminal to a program that reads its pseudo-terminal: more, a script with read
// <&2, or less, which opens the terminal behind standard error. A key is for the pseudo-terminal if it stays unread on
// the real one while a process waits to read the pseudo-terminal. Nothing is taken from a program that reads the real
// terminal itself.
type keyboard struct {
	terminal int // retry's own descriptor of the controlling terminal; -1 for none
	opened   bool
	due      time.Time     // when to look at unread keys again; zero if there are none
	pause    time.Duration // the time before that look
	reader   int           // the process that got the last keys
}

// open opens the controlling terminal, if that is what the pseudo-terminal replaces.
func (k *keyboard) open(t *terminal) {
	if k.opened {
		return
	}
	k.opened, k.terminal = true, -1
	if t.real < 0 {
		return
	}
	if _, err := unix.IoctlGetInt(t.real, unix.TIOCGPGRP); err != nil { // another session's terminal
		return
	}
	descriptor, err := unix.Open("/dev/tty", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err == nil {
		k.terminal = descriptor
	}
}

// watch makes the watcher wait for keys. While there are unread ones, it shortens the timeout to the next look instead.
func (k *keyboard) watch(w *watcher, timeout time.Duration) time.Duration {
	switch {
	case k.terminal < 0:
	case k.due.IsZero():
		w.once(k.terminal)
	default:
		if left := max(0, time.Until(k.due)); timeout < 0 || left < timeout {
			return left
		}
	}
	return timeout
}

// serve is called after each wait, with the descriptors found ready.
func (k *keyboard) serve(found []int, relays []*relay) {
	switch {
	case k.terminal < 0:
	case slices.Contains(found, k.terminal):
		k.pause = firstLook
		k.due = time.Now().Add(k.pause)
	case !k.due.IsZero() && !time.Now().Before(k.due):
		k.hand(relays)
	}
}

// hand passes keys that are still unread to a process that waits for them, or sets the time of the next look.
func (k *keyboard) hand(relays []*relay) {
	at := []unix.PollFd{{Fd: int32(k.terminal), Events: unix.POLLIN}}
	if n, err := unix.Poll(at, 0); err == nil && n == 0 {
		k.due = time.Time{}
		return
	}
	if at[0].Revents&^unix.POLLIN != 0 { // the terminal has hung up, and stays readable
		unix.Close(k.terminal)
		k.terminal = -1
		return
	}
	if inForeground(k.terminal) {
		if t := k.wanted(relays); t != nil && !t.unread() {
			t.press(k.terminal)
			k.due = time.Time{}
			return
		}
	}
	k.pause = min(2*k.pause, longestPause)
	k.due = time.Now().Add(k.pause)
}

// unread reports whether keys that the process was given are still unread. Others given now would be read together with
// them, but the key that ends the input does so only if it is read alone.
func (t *terminal) unread() bool {
	if t.slave == nil {
		return false
	}
	slave := int(t.slave.Fd())
	// Keys that the kernel has not delivered yet are not counted, and poll(2) waits for their delivery.
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(slave), Events: unix.POLLIN}}, 0)
	n, err := unix.IoctlGetInt(slave, fionread)
	return err == nil && n > 0
}

// press writes what can be read from the real terminal to the pseudo-terminal. An end of input, which the real terminal
// has made of a key, becomes that key again.
func (t *terminal) press(from int) {
	keys := make([]byte, 4096)
	n, err := unix.Read(from, keys)
	if n == 0 && err == nil {
		keys[0], n = t.settings.Cc[unix.VEOF], 1
	}
	if n > 0 {
		_, _ = unix.Write(t.master, keys[:n])
	}
}

// wanted returns the terminal that a process waits to read, or nil.
func (k *keyboard) wanted(relays []*relay) *terminal {
	devices := map[uint64]*terminal{}
	for _, r := range relays {
		if number, err := unix.IoctlGetInt(r.terminal.master, unix.TIOCGPTN); err == nil {
			const major = 136 // UNIX98_PTY_SLAVE_MAJOR
			devices[unix.Mkdev(major, uint32(number))] = r.terminal
		}
	}
	if t := waitsFor(k.reader, devices); t != nil {
		return t
	}
	processes, _ := os.ReadDir("/proc")
	for _, entry := range processes {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if t := waitsFor(pid, devices); t != nil {
				k.reader = pid
				return t
			}
		}
	}
	return nil
}

// waitsFor returns the terminal that a process waits to read, or nil, according to the process's current system call.
func waitsFor(pid int, devices map[uint64]*terminal) *terminal {
	text := make([]byte, 256)
	fields := strings.Fields(string(text[:readAt(fmt.Sprintf("/proc/%d/syscall", pid), text, 0)]))
	var call [3]uint64           // the number and the first two arguments
	if len(fields) < len(call) { // the process is running, or blocked outside a system call
		return nil
	}
	for i := range call {
		var err error
		if call[i], err = strconv.ParseUint(fields[i], 0, 64); err != nil {
			return nil
		}
	}
	for _, descriptor := range awaited(pid, call) {
		var file unix.Stat_t
		if unix.Stat(fmt.Sprintf("/proc/%d/fd/%d", pid, descriptor), &file) == nil {
			if t := devices[file.Rdev]; t != nil && file.Mode&unix.S_IFMT == unix.S_IFCHR {
				return t
			}
		}
	}
	return nil
}

// awaited returns the descriptors that a system call waits to read. call holds its number and its first two arguments.
func awaited(pid int, call [3]uint64) (descriptors []int) {
	const most = 1024 // descriptors looked at
	switch call[0] {
	case unix.SYS_READ:
		return []int{int(call[1])}
	case sysPoll, unix.SYS_PPOLL:
		const size = 8 // of a struct pollfd: the descriptor, 4 bytes, and the events
		memory := memoryOf(pid, call[1], size*min(call[2], most))
		for ; len(memory) >= size; memory = memory[size:] {
			if binary.NativeEndian.Uint16(memory[4:])&unix.POLLIN != 0 {
				descriptors = append(descriptors, int(int32(binary.NativeEndian.Uint32(memory))))
			}
		}
	case sysSelect, unix.SYS_PSELECT6:
		memory := memoryOf(pid, call[2], (min(call[1], most)+63)/64*8)
		for i := range 8 * len(memory) {
			const word = 64
			if binary.NativeEndian.Uint64(memory[i/word*8:])>>(i%word)&1 != 0 {
				descriptors = append(descriptors, i)
			}
		}
	}
	return descriptors
}

// memoryOf reads from a process's memory. It returns nil if it can't or may not.
func memoryOf(pid int, address, size uint64) []byte {
	if address == 0 || size == 0 {
		return nil
	}
	memory := make([]byte, size)
	if readAt(fmt.Sprintf("/proc/%d/mem", pid), memory, int64(address)) < len(memory) {
		return nil
	}
	return memory
}

// readAt reads from a file without the cost of an os.File. It returns the number of bytes read, 0 after an error.
func readAt(path string, to []byte, offset int64) int {
	descriptor, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(descriptor)
	n, _ := unix.Pread(descriptor, to, offset)
	return max(0, n)
}
