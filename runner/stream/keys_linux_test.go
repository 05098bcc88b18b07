package stream

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// typing runs a script as the command at a desk. Once the script says that it is ready, it types, waits for the answer,
// and types again.
func typing(t *testing.T, script string, turns ...[2]string) {
	t.Helper()
	atDesk(t, func(t *testing.T, d *desk) {
		d.change(t, func(s *unix.Termios) { s.Lflag &^= unix.ECHO })
		s := watched(t, d)
		ended := make(chan error)
		go func() {
			_, err := attempt(t, s, runs(t, script))
			ended <- err
		}()
		d.shows(t, "ready\n")
		for _, turn := range turns {
			write(t, d.user, turn[0])
			d.shows(t, turn[1])
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Keys go to the program that reads its pseudo-terminal, on any stream, whether it waits in read(2) or in poll(2).
func TestKeysAreForTheReader(t *testing.T) {
	typing(t, `echo ready; read line <&2; echo "got $line"`, [2]string{"text\n", "got text\n"})
}

func TestKeysAreForTheReaderOfStandardOutput(t *testing.T) {
	typing(t, `echo ready; read line <&1; read more <&1; echo "got $line, $more"`, [2]string{"text\nmore\n", "got text, more\n"})
}

// A program that reads the real terminal itself gets its keys there.
func TestKeysOfTheRealTerminal(t *testing.T) {
	typing(t, `echo ready; read line; echo "got $line"`, [2]string{"text\n", "got text\n"})
}

// The key that ends the input ends that of the program that reads the pseudo-terminal.
func TestKeyOfTheEnd(t *testing.T) {
	typing(t, `echo ready; cat <&2; echo ended`, [2]string{"text\n", "text\n"}, [2]string{"\x04", "ended\n"})
}

// Keys that a process has not been woken up for are not there any more once it has read them.
func TestUnreadKeys(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(s *unix.Termios) { s.Lflag &^= unix.ICANON })
	pseudo := &terminal{slave: d.real}
	if pseudo.unread() || new(terminal).unread() {
		t.Error("there are keys at first")
	}
	write(t, d.user, "x")
	become(t, "there is a key", pseudo.unread)
	if _, err := unix.Read(int(d.real.Fd()), make([]byte, 1)); err != nil || pseudo.unread() {
		t.Errorf("the key is still there, %v", err)
	}
}

// A process's system call shows what it is waiting for: one descriptor, or those that it polls for input.
func TestAwaited(t *testing.T) {
	pid := os.Getpid()
	polled := []unix.PollFd{
		{Fd: 3, Events: unix.POLLIN}, {Fd: 4, Events: unix.POLLOUT}, {Fd: 70, Events: unix.POLLIN | unix.POLLPRI}, {Fd: -1, Events: unix.POLLIN},
	}
	var selected unix.FdSet
	for _, descriptor := range []int{0, 5, 63, 64, 127, 1023} {
		selected.Set(descriptor)
	}
	many := make([]unix.PollFd, 2000)
	for i := range many {
		many[i] = unix.PollFd{Fd: int32(i), Events: unix.POLLIN}
	}
	poll, set, all := uint64(uintptr(unsafe.Pointer(&polled[0]))), uint64(uintptr(unsafe.Pointer(&selected))), uint64(uintptr(unsafe.Pointer(&many[0])))
	for _, test := range []struct {
		name string
		call [3]uint64
		want []int
	}{
		{"read", [3]uint64{unix.SYS_READ, 7, 1}, []int{7}},
		{"write", [3]uint64{unix.SYS_WRITE, 7, 1}, nil},
		{"poll", [3]uint64{sysPoll, poll, 4}, []int{3, 70, -1}},
		{"ppoll", [3]uint64{unix.SYS_PPOLL, poll, 2}, []int{3}},
		{"ppoll of none", [3]uint64{unix.SYS_PPOLL, poll, 0}, nil},
		{"ppoll of nothing", [3]uint64{unix.SYS_PPOLL, 0, 4}, nil},
		{"select", [3]uint64{sysSelect, 1024, set}, []int{0, 5, 63, 64, 127, 1023}},
		{"select of the first", [3]uint64{unix.SYS_PSELECT6, 6, set}, []int{0, 5, 63}},
		{"select of 64", [3]uint64{unix.SYS_PSELECT6, 64, set}, []int{0, 5, 63}},
		{"select of 65", [3]uint64{unix.SYS_PSELECT6, 65, set}, []int{0, 5, 63, 64, 127}},
		{"select of nothing", [3]uint64{unix.SYS_PSELECT6, 1024, 0}, nil},
		{"an invalid address", [3]uint64{unix.SYS_PSELECT6, 1024, 1}, nil},
	} {
		if got := awaited(pid, test.call); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	if got := awaited(pid, [3]uint64{unix.SYS_PPOLL, all, 2000}); len(got) != 1024 {
		t.Errorf("%d of very many are looked at", len(got))
	}
	if got := awaited(pid, [3]uint64{unix.SYS_PSELECT6, 4096, all}); slices.ContainsFunc(got, func(d int) bool { return d >= 1024 }) {
		t.Errorf("%v of very many are looked at", got)
	}
}

// A process is waiting for a terminal if it reads that terminal, and not if it reads another one or a file.
func TestWaitsFor(t *testing.T) {
	d, other := newDesk(t), newDesk(t)
	number, err := unix.IoctlGetInt(int(d.user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	pseudo := &terminal{}
	devices := map[uint64]*terminal{unix.Mkdev(136, uint32(number)): pseudo}
	reader := func(file *os.File) (pid int) {
		command := exec.Command("cat")
		command.Stdin = file
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		become(t, "it reads", func() bool {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", command.Process.Pid))
			return strings.HasPrefix(string(text), fmt.Sprintf("%d 0x0 ", unix.SYS_READ))
		})
		return command.Process.Pid
	}
	pipe, _ := pair(t)
	for _, test := range []struct {
		what string
		pid  int
		want *terminal
	}{{"the terminal", reader(d.real), pseudo}, {"another", reader(other.real), nil}, {"a pipe", reader(pipe), nil}, {"nothing", -1, nil}} {
		if got := waitsFor(test.pid, devices); got != test.want {
			t.Errorf("a process that reads %s waits for %p", test.what, got)
		}
	}
}

// While nobody reads a key, each look at it comes later than the one before, up to a limit. The wait for other events
// ends by then.
func TestKeysAreLookedAtLess(t *testing.T) {
	d := newDesk(t)
	k := &keyboard{terminal: int(d.real.Fd())}
	d.change(t, func(s *unix.Termios) { s.Lflag &^= unix.ICANON })
	write(t, d.user, "x")
	if k.serve(nil, nil); !k.due.IsZero() || k.pause != 0 {
		t.Error("there is another look at keys that were not found yet")
	}
	k.serve([]int{k.terminal}, nil)
	for _, want := range []time.Duration{2, 4, 8, 16, 32, 64, 128, 200, 200} {
		want *= time.Millisecond
		if left := time.Until(k.due); k.pause != want || left > want {
			t.Errorf("it pauses for %v, of which %v are left, want %v", k.pause, left, want)
		}
		var w watcher
		if left := k.watch(&w, -1); left < 0 || left > k.pause {
			t.Errorf("after a pause of %v it waits for %v", k.pause, left)
		}
		if left := k.watch(&w, 0); left != 0 {
			t.Errorf("it waits for %v where there is no time", left)
		}
		if left := k.watch(&w, time.Hour); left > k.pause {
			t.Errorf("after a pause of %v it waits for %v of an hour", k.pause, left)
		}
		k.due = time.Now().Add(time.Hour)
		if k.serve(nil, nil); k.pause != want || time.Until(k.due) < time.Minute {
			t.Errorf("it looked too early, and pauses for %v", k.pause)
		}
		if left := k.watch(&w, time.Minute); left != time.Minute {
			t.Errorf("it waits for %v of a minute", left)
		}
		k.due = time.Now()
		k.serve(nil, nil)
	}
	if _, err := unix.Read(k.terminal, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	k.due = time.Now()
	if k.serve(nil, nil); !k.due.IsZero() {
		t.Error("there is another look at keys that somebody has read")
	}
}

// A terminal that has hung up sends no more keys.
func TestKeysHangUp(t *testing.T) {
	d := newDesk(t)
	own, err := unix.FcntlInt(d.real.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	d.user.Close()
	k := &keyboard{terminal: own}
	k.serve([]int{own}, nil)
	k.due = time.Now()
	if k.serve(nil, nil); k.terminal >= 0 {
		t.Error("it is still watched")
	}
	if left := k.watch(nil, time.Hour); left != time.Hour {
		t.Errorf("it waits for %v", left)
	}
	k.serve([]int{-1}, nil)
}

// retry opens the controlling terminal if that is what a pseudo-terminal replaces: for itself, and without waiting.
func TestKeysOfWhichTerminal(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		other := newDesk(t)
		for what, real := range map[string]int{"no terminal": -1, "a terminal of another session": int(other.real.Fd())} {
			k := &keyboard{}
			if k.open(&terminal{real: real}); k.terminal >= 0 {
				t.Errorf("a keyboard of %s: %d", what, k.terminal)
			}
		}
		k := &keyboard{}
		k.open(&terminal{real: int(d.real.Fd())})
		flags, err := unix.FcntlInt(uintptr(k.terminal), unix.F_GETFL, 0)
		if err != nil || k.terminal < 0 || flags&unix.O_NONBLOCK == 0 {
			t.Errorf("descriptor %d has the flags %#x, %v", k.terminal, flags, err)
		}
		if flags, err := unix.FcntlInt(uintptr(k.terminal), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("descriptor %d is passed on, %v", k.terminal, err)
		}
		first := k.terminal
		if k.open(&terminal{real: int(d.real.Fd())}); k.terminal != first {
			t.Error("it was opened again")
		}
	})
}

// polling starts a thread that waits in poll(2) until one of the files can be read, and returns its number.
func polling(t *testing.T, files ...*os.File) (thread int) {
	t.Helper()
	var at []unix.PollFd
	for _, file := range files {
		at = append(at, unix.PollFd{Fd: int32(file.Fd()), Events: unix.POLLIN})
	}
	end, hold := pair(t)
	at = append(at, unix.PollFd{Fd: int32(end.Fd()), Events: unix.POLLIN})
	number, ended := make(chan int), make(chan bool)
	go func() {
		runtime.LockOSThread()
		number <- unix.Gettid()
		for at[len(at)-1].Revents == 0 {
			if _, err := unix.Poll(at, -1); err == nil {
				break
			}
		}
		close(ended)
	}()
	thread = <-number
	t.Cleanup(func() { hold.Close(); <-ended })
	become(t, "it waits", func() bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", thread))
		call, _, _ := strings.Cut(string(text), " ")
		return call == fmt.Sprint(uint64(sysPoll)) || call == fmt.Sprint(unix.SYS_PPOLL)
	})
	return thread
}

// Of the files that a process polls, the first need not be the terminal.
func TestWaitsForSeveral(t *testing.T) {
	pseudo, other := opened(t), newDesk(t)
	number, err := unix.IoctlGetInt(pseudo.master, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	pipe, _ := pair(t)
	thread := polling(t, other.real, pipe, pseudo.slave)
	if got := waitsFor(thread, map[uint64]*terminal{unix.Mkdev(136, uint32(number)): pseudo}); got != pseudo {
		t.Errorf("it waits for %p", got)
	}
}

// Keys stay on the real terminal while no process waits for them, and while those given before are unread.
func TestKeysWait(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		d.change(t, func(s *unix.Termios) { s.Lflag &^= unix.ICANON | unix.ECHO })
		pseudo := &terminal{real: int(d.real.Fd()), master: -1}
		slave, err := pseudo.open()
		if err != nil {
			t.Fatal(err)
		}
		defer pseudo.close()
		k, relays := &keyboard{}, []*relay{{terminal: pseudo}}
		k.open(pseudo)
		look := func(when string, wantHere, wantThere int) {
			t.Helper()
			k.due = time.Now()
			k.serve(nil, relays)
			here, _ := unix.IoctlGetInt(k.terminal, fionread)
			if there := 0; wantThere > 0 {
				become(t, when, func() bool {
					there, _ = unix.IoctlGetInt(int(slave.Fd()), fionread)
					return there >= wantThere
				})
				if there != wantThere {
					t.Errorf("%s: %d keys were handed on", when, there)
				}
			}
			if here != wantHere {
				t.Errorf("%s: %d keys are left", when, here)
			}
		}
		write(t, d.user, "a")
		become(t, "there is a key", func() bool { n, _ := unix.IoctlGetInt(k.terminal, fionread); return n == 1 })
		look("nobody waits", 1, 0)
		reader := exec.Command("cat")
		reader.Stdin = slave
		if err := reader.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = reader.Process.Kill(); _ = reader.Wait() }()
		become(t, "it reads", func() bool {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", reader.Process.Pid))
			return strings.HasPrefix(string(text), fmt.Sprintf("%d 0x0 ", unix.SYS_READ))
		})
		// A process that is stopped while it waits doesn't read the key.
		if err := reader.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		become(t, "it has stopped", func() bool {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", reader.Process.Pid))
			return strings.Contains(string(text), ") T ")
		})
		look("a process waits", 0, 1)
		write(t, d.user, "b")
		become(t, "there is another key", func() bool { n, _ := unix.IoctlGetInt(k.terminal, fionread); return n == 1 })
		look("the first key is unread", 1, 1)
	})
}
