package process_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// needs marks a test that some systems skip because they lack something.
func needs(*testing.T, string) {}

func init() {
	plays["dispose"], plays["root"], plays["first"], plays["headless"] = dispose, root, first, headless
}

// marked returns the processes with a text in their environment or among their arguments. A process without an address
// space, such as a zombie, has neither.
func marked(text string) []int {
	var found []int
	buffer := make([]byte, 1<<16)
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if bytes.Contains(contents(name+"/environ", buffer), []byte(text)) || bytes.Contains(contents(name+"/cmdline", buffer), []byte(text)) {
			pid, _ := strconv.Atoi(filepath.Base(name))
			if stateOf(pid) != 'Z' {
				found = append(found, pid)
			}
		}
	}
	return found
}

// contents reads a file into a buffer, or into a greater one if that is full, without the cost of an os.File.
func contents(name string, buffer []byte) []byte {
	descriptor, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(descriptor)
	for total := 0; ; {
		n, _ := unix.Read(descriptor, buffer[total:])
		if total += max(0, n); n <= 0 {
			return buffer[:total]
		}
		if total == len(buffer) {
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
	}
}

// stateOf returns a process's state as in /proc/PID/stat, or Z if the process has gone.
func stateOf(pid int) byte {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	after := bytes.LastIndexByte(stat, ')') + 2
	if after >= len(stat) || stat[after] == 'X' {
		return 'Z'
	}
	return stat[after]
}

func arguments(pid int) []string {
	cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.Split(strings.TrimSuffix(string(cmdline), "\x00"), "\x00")
}

// dispose executes a command with some signals ignored and blocked: ignore=1,2 block=10 COMMAND ...
func dispose(words []string) error {
	for _, number := range numbers(words[0], "ignore=") {
		signal.Ignore(number)
	}
	var set unix.Sigset_t
	for _, number := range numbers(words[1], "block=") {
		set.Val[0] |= 1 << (number - 1)
	}
	// The command inherits the mask of the thread that executes it, to which TestMain has locked this goroutine.
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &set, nil); err != nil {
		return err
	}
	return syscall.Exec(words[2], words[2:], os.Environ())
}

// root, if it is owned by root and has the set-user-ID bit, becomes root completely, so that the user who started it
// can't signal it.
func root(words []string) error {
	if err := syscall.Setuid(0); err != nil {
		return err
	}
	return syscall.Exec("/bin/sleep", append([]string{"sleep"}, words...), os.Environ())
}

// first mounts the /proc of a new PID namespace and executes a command as process 1 of that.
func first(words []string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mount /: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return syscall.Exec(words[0], words, os.Environ())
}

// headless sleeps like sleep(1), after its first thread has ended.
func headless([]string) error {
	fmt.Println("headless", os.Getpid())
	go time.Sleep(5 * time.Minute)
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
	return errno
}

// peak returns the most memory that a process has used, in KiB, as observed until it ended. The kernel's own figure for
// a child that has ended, Maxrss, starts with that of its parent at the time of the fork, and so says more about this test.
func peak(pid int) <-chan int {
	most := make(chan int, 1)
	go func() {
		kib := 0
		for {
			file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
			if err != nil {
				break
			}
			before := kib
			kib = -1
			for lines := bufio.NewScanner(file); lines.Scan(); {
				if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
					kib, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
				}
			}
			file.Close()
			if kib < 0 {
				kib = before
				break
			}
			time.Sleep(time.Millisecond)
		}
		most <- kib
	}()
	return most
}

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	var number int
	onDescriptor(t, master, func(descriptor int) {
		if err = unix.IoctlSetPointerInt(descriptor, unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(descriptor, unix.TIOCGPTN)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	var state string
	var parent int
	_, _ = fmt.Sscan(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), &state, &parent)
	return parent
}

// programOf returns the path of the program that a process executes.
func programOf(pid int) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return path
}

// TestLinuxOnly checks that linuxOnly names, with a reason, every test that other systems don't compile.
func TestLinuxOnly(t *testing.T) {
	compiled := map[string]bool{"TestLinuxOnly": true}
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "//go:build linux") && !strings.HasSuffix(file, "_linux_test.go") {
			continue
		}
		for _, function := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(string(text), -1) {
			compiled[function[1]] = true
		}
	}
	named := map[string]bool{"TestLinuxOnly": true}
	for _, names := range linuxOnly {
		for _, name := range strings.Fields(names) {
			named[name] = true
			if !compiled[name] {
				t.Errorf("%s is not for Linux alone", name)
			}
		}
	}
	for name := range compiled {
		if !named[name] {
			t.Errorf("there is no reason for %s to be for Linux alone", name)
		}
	}
}
