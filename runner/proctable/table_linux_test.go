package proctable

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if os.Getenv("PROCTABLE_TEST_ROLE") == "look" {
		fmt.Println(Usable(), len(Read()))
		return
	}
	os.Exit(m.Run())
}

func TestParseStat(t *testing.T) {
	stat := func(name, state, threads string) string {
		return "7 (" + name + ") " + state + " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 " + threads + " 18 19 20 21"
	}
	want := Entry{Parent: 1, Group: 2, Session: 3, Started: 19}
	for _, test := range []struct {
		name, stat string
		alive      bool
	}{
		{"asleep", stat("sh", "S", "1"), true},
		{"odd name", stat(") Z 8 8 8 (", "R", "1"), true},
		{"zombie", stat("sh", "Z", "1"), false},
		{"without its first thread", stat("sh", "Z", "2"), true},
		{"dead", stat("sh", "X", "2"), false},
		{"only as long as needed", strings.TrimSuffix(stat("sh", "S", "1"), " 20 21"), true},
		{"cut", strings.TrimSuffix(stat("sh", "S", "1"), " 19 20 21"), false},
		{"empty", "", false},
	} {
		if entry, alive := parseStat([]byte(test.stat)); alive != test.alive || alive && entry != want {
			t.Errorf("%s: %t, %+v", test.name, alive, entry)
		}
	}
}

// launch starts a command in a session of its own and waits for its first line.
func launch(t *testing.T, environ []string, words ...string) (command *exec.Cmd, line string) {
	t.Helper()
	command = exec.Command(words[0], words[1:]...)
	command.Env = environ
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if _, err := command.StdinPipe(); err != nil { // which stays open until the end
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err = bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return command, strings.TrimSpace(line)
}

// TestChildren follows a child from its start until it has been reaped.
func TestChildren(t *testing.T) {
	if HasChildren() || len(Bystanders()) > 0 {
		t.Error("there is a child before any was started")
	}
	command, _ := launch(t, []string{"FIRST=1", "SECOND=2"}, "/bin/sh", "-c", "echo; read x")
	pid := command.Process.Pid
	self, child := Read()[os.Getpid()], Read()[pid]
	if child.Parent != os.Getpid() || child.Group != pid || child.Session != pid {
		t.Errorf("%+v, want a child of %d in a session of its own, %d", child, os.Getpid(), pid)
	}
	if self.Group != unix.Getpgrp() || self.Started <= 0 || child.Started < self.Started {
		t.Errorf("own entry: %+v, that of a child: %+v", self, child)
	}
	if found := Bystanders(); len(found) != 1 || found[pid] != child.Started {
		t.Errorf("bystanders: %v, want %d of %d", found, pid, child.Started)
	}
	for entry, want := range map[string]bool{
		"FIRST=1": true, "SECOND=2": true, "IRST=1": false, "SECOND=": false, "THIRD=3": false,
	} {
		if HasToken(pid, entry) != want {
			t.Errorf("%s is in the environment: %t", entry, !want)
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if _, alive := Read()[pid]; alive {
		t.Error("a zombie is in the table")
	}
	for range 2 { // asking doesn't reap it
		if !HasChildren() {
			t.Fatal("a zombie does not count as a child")
		}
	}
	_ = command.Wait()
	if HasChildren() || HasToken(pid, "FIRST=1") {
		t.Error("there is a child after the only one was reaped")
	}
}

// TestOrphans makes a process lose its parent, so that this one inherits it.
func TestOrphans(t *testing.T) {
	if Adopts() {
		t.Error("it adopts orphans before asking for them")
	}
	Adopt()
	defer func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }()
	if !Adopts() {
		t.Fatal("it adopts no orphans")
	}
	command, line := launch(t, os.Environ(), "/bin/sh", "-c", "sleep 300 >/dev/null & echo $!")
	orphan, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	if found := Orphans(); !slices.Equal(found, []int{orphan}) {
		t.Errorf("orphans: %v, want %d", found, orphan)
	}
	_ = syscall.Kill(orphan, syscall.SIGKILL)
	if _, err := syscall.Wait4(orphan, nil, 0, nil); err != nil {
		t.Error(err)
	}
	if found := Orphans(); len(found) != 0 {
		t.Errorf("orphans: %v, want none", found)
	}
}

// TestForeignTable uses a new PID namespace without a /proc of its own.
func TestForeignTable(t *testing.T) {
	if !Usable() || len(Read()) < 2 {
		t.Errorf("usable: %t, with %d processes", Usable(), len(Read()))
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path)
	command.Env = append(os.Environ(), "PROCTABLE_TEST_ROLE=look")
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if os.Getuid() != 0 {
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
	}
	if said, err := command.CombinedOutput(); err != nil || string(said) != "false 0\n" {
		t.Errorf("%v: %s", err, said)
	}
}
