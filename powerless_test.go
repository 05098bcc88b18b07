//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A limit that an ordinary user can't enforce is reported before the first attempt.
func TestPowerlessLimit(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sudo", "doas", "true"} {
		write(t, filepath.Join(dir, name), "#!/bin/sh\necho ran >&2\n", 0o755)
	}
	for path := dir; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	retry, err := exec.LookPath("retry")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(retry)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "retry"), string(program), 0o755)
	for _, test := range []struct{ options, command, limit string }{
		{"--timeout 1h", "sudo", "--timeout"},
		{"--idle-timeout 1h", "doas", "--idle-timeout"},
		{"-q --deadline 1h", "sudo", "--deadline"},
		{"-qq --timeout 1h", "sudo", ""},
		{"", "sudo", ""},
		{"--timeout 1h", "true", ""},
	} {
		words := append(strings.Fields(test.options), "--", filepath.Join(dir, test.command))
		call := exec.Command(filepath.Join(dir, "retry"), words...)
		call.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if os.Getuid() == 0 {
			call.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		}
		var said bytes.Buffer
		call.Stderr = &said
		want := "ran\n"
		if test.limit != "" {
			want = "retry: " + test.command + ": " + test.limit + ` can't kill another user's process; use "sudo retry ..."` + "\nran\n"
		}
		if err := call.Run(); err != nil || said.String() != want {
			t.Errorf("%q: %v, said %q, want %q", words, err, said.String(), want)
		}
	}
}
