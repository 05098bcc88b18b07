//go:build linux

package process_test

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() { plays["childless"] = childless }

// childless executes a command for which the kernel answers the request to inherit orphans with an error number. The
// number 0 says that the request was successful, but it has no effect either.
func childless(words []string) error {
	answer, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	const number, argument = 0, 16 // their offsets in struct seccomp_data; a filter sees one half of the argument at a time
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	unlessEqual := func(value uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
	}
	result := func(value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value}
	}
	half := uint32(argument)
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) == 0 {
		half += 4 // big-endian
	}
	filter := []unix.SockFilter{
		load(number), unlessEqual(unix.SYS_PRCTL, 3),
		load(half), unlessEqual(unix.PR_SET_CHILD_SUBREAPER, 1),
		result(unix.SECCOMP_RET_ERRNO | uint32(answer)),
		result(unix.SECCOMP_RET_ALLOW),
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	var adopts int32
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); (err != nil) != (answer != 0) {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	err = unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&adopts)), 0, 0, 0)
	if err != nil || adopts != 0 {
		return fmt.Errorf("it has become a subreaper all the same: %d, %v", adopts, err)
	}
	return syscall.Exec(words[1], words[1:], os.Environ())
}

// TestUnadopted has a system that refuses to make orphans children of retry, or only pretends to do so. Retry then
// finds them by their attempt's token, and leaves alone those that don't have it.
func TestUnadopted(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]syscall.Errno{"accepted": 0, "refused": unix.EINVAL} {
		for limit, options := range map[string][]string{"timeout": {"--timeout", "1"}, "idle": {"--idle-timeout", "1"}} {
			t.Run(name+" "+limit, func(t *testing.T) {
				t.Parallel()
				stranger := beginScript(t, `exec sleep 303.$MARK`)
				stranger.sleeps(303)
				// The second one takes a while to end. Only the process table shows when it has.
				const script = `(setsid sh -c 'sleep 301.$MARK & exit' &)
					(setsid sh -c 'trap "sleep 0.3; exit" TERM; sleep 302.$MARK; :' &); exec sleep 300.$MARK`
				words := []string{self(t), strconv.Itoa(int(answer)), binary, "-n", "2", "--delay", "0", "--kill-after", "99"}
				r := prepare(t, append(append(words, options...), "sh", "-c", script)...)
				r.command.Env = append(r.command.Env, "RETRY_TEST_ROLE=childless")
				r.start()
				r.sleeps(301)
				r.sleeps(302)
				r.exits(124)
				r.goneAlready()
				stranger.stillSleeps(303)
			})
		}
	}
}
