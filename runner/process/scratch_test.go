//go:build linux && !race

package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A container that contains nothing but the program has no directory for temporary files. The race detector is left
// out, because without /proc it prints warnings.
func TestScratchRoot(t *testing.T) {
	t.Parallel()
	want, err := exec.Command(binary, "--plan", "-n", "5000").Output()
	if err != nil || len(want) < 1<<17 {
		t.Fatalf("%d bytes, %v", len(want), err)
	}
	held := []string{"chroot", "root", "/retry", "-n", "2", "--delay", "0", "-o", "--", "/retry", "--plan", "-n", "5000"}
	f := inScratch(t, held...)
	f.exits(0)
	f.wrote("stdout", string(want))
	f.wrote("stderr", "")

	without := []string{"strace", "-f", "-qq", "-o", "trace", "-e", "trace=memfd_create", "-e", "inject=memfd_create:error=ENOSYS"}
	f = inScratch(t, append(without, held...)...)
	f.exits(125)
	f.wrote("stdout", "")
	said := `^retry: retry: standard output: open /tmp/retry-\d+: no such file or directory; ` +
		`memfd_create: function not implemented\n$`
	if got := f.read("stderr"); !regexp.MustCompile(said).MatchString(got) {
		t.Errorf("retry said %q", got)
	}
}

// inScratch prepares a command next to a directory "root" that contains only retry, and to which the command may
// chroot(2).
func inScratch(t *testing.T, words ...string) *flow {
	t.Helper()
	f := flowingScript(t, `PATH=$PATH:/usr/sbin:/sbin exec "$@"`, words...)
	f.Env = append(f.Env, "TMPDIR=")
	if os.Getuid() != 0 {
		f.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		f.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		f.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	copyFile := func(from, to string) {
		t.Helper()
		to = filepath.Join(f.dir, "root", to)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		// No child of another test may inherit the file while it is open: running it would fail with ETXTBSY.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if err := os.WriteFile(to, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(binary, "retry")
	// With the race detector, the program needs shared libraries.
	libraries, _ := exec.Command("ldd", binary).Output()
	for word := range strings.FieldsSeq(string(libraries)) {
		if filepath.IsAbs(word) {
			copyFile(word, word)
		}
	}
	return f
}
