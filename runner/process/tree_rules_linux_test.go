package process

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"retry/policy"
	"retry/runner/proctable"
)

// launch starts a command as a session leader with a single environment entry, and waits for its first line.
func launch(t *testing.T, entry, script string) (command *exec.Cmd, line string) {
	t.Helper()
	command = exec.Command("/bin/sh", "-c", script)
	command.Env = []string{entry}
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
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	})
	line, err = bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return command, strings.TrimSpace(line)
}

// mark returns an entry that no other environment has.
func mark() string { return "MARK=" + strconv.FormatInt(time.Now().UnixNano(), 10) }

// eventually waits for a condition.
func eventually(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for began := time.Now(); !reached(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// ended returns the ID of a child that has ended and been reaped.
func ended(t *testing.T) int {
	t.Helper()
	command := exec.Command("true")
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return command.Process.Pid
}

// orphan returns a process that has lost its parent and become a child of the test. The test must have called adopt.
func orphan(t *testing.T) int {
	t.Helper()
	command, line := launch(t, mark(), "sleep 300 >/dev/null & echo $!")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	t.Cleanup(func() {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}
	})
	return pid
}

// adopt makes the test process inherit orphans until the test ends.
func adopt(t *testing.T) {
	proctable.Adopt()
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) })
}

// TestOwns checks which processes belong to an attempt. There are no processes with IDs above 1<<23.
func TestOwns(t *testing.T) {
	const command, below, other, orphan, belowOrphan, stranger, belowChild = 1 << 23, 1<<23 + 1, 1<<23 + 2, 1<<23 + 3, 1<<23 + 4, 1<<23 + 5, 1<<23 + 6
	mine := mark()
	marked, _ := launch(t, mine, "echo; read x")
	child, self := marked.Process.Pid, os.Getpid()
	table := map[int]proctable.Entry{
		command: {Parent: self}, below: {Parent: command}, other: {Parent: self, Started: 5}, orphan: {Parent: self},
		belowOrphan: {Parent: orphan}, stranger: {Parent: 1}, child: {Parent: self, Started: 9}, belowChild: {Parent: child},
	}
	inherited := map[int]int64{other: 5}
	for _, test := range []struct {
		name       string
		pid        int
		adopts     bool
		bystanders map[int]int64
		token      string
		want       bool
	}{
		{"the command", command, true, nil, mine, true},
		{"a descendant", below, true, nil, mine, true},
		{"a descendant among bystanders", below, true, inherited, mine, true},
		{"an orphan", belowOrphan, true, nil, mine, true},
		{"a stranger", stranger, true, nil, mine, false},
		{"a stranger that no reaper would have kept", stranger, false, nil, mine, false},
		{"one that has ended", belowChild + 1, true, nil, mine, false},
		{"a bystander", other, true, inherited, mine, false},
		{"an orphan among bystanders", belowOrphan, true, inherited, mine, false},
		{"a marked orphan among bystanders", child, true, inherited, mine, true},
		{"one below a marked orphan", belowChild, true, inherited, mine, true},
		{"an orphan of another mark", child, true, inherited, mark(), false},
		{"a marked bystander", child, true, map[int]int64{child: 9}, mine, false},
		{"one with the number of a bystander", child, true, map[int]int64{child: 8}, mine, true},
	} {
		p := &process{pid: command, bystanders: test.bystanders, token: test.token}
		if got := p.owns(test.pid, table, test.adopts); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
	// If retry doesn't inherit orphans, a process that doesn't descend from it can still have the token.
	table[child] = proctable.Entry{Parent: 1}
	for adopts, want := range map[bool]bool{true: false, false: true} {
		if p := (&process{pid: command, token: mine}); p.owns(child, table, adopts) != want {
			t.Errorf("adopted %t: a marked stranger belongs to the attempt: %t", adopts, !want)
		}
	}
}

// TestTarget checks that a whole group is signalled only if nothing else can be in it.
func TestTarget(t *testing.T) {
	const own, pid, group = 2, 7, 5
	for session, want := range map[int]int{3: -group, own: pid, 0: pid} {
		if got := newStray(pid, proctable.Entry{Group: group, Session: session}, own).target(); got != want {
			t.Errorf("in session %d: %d, want %d", session, got, want)
		}
	}
}

// TestStrays looks for processes that no signal to the command or its group reaches.
func TestStrays(t *testing.T) {
	leader, line := launch(t, mark(), "sleep 300 >/dev/null & echo $!; read x")
	member, _ := strconv.Atoi(line)
	other, _ := launch(t, mark(), "echo; read x")
	command, child := leader.Process.Pid, other.Process.Pid
	started := proctable.Read()[child].Started
	for name, test := range map[string]struct {
		process
		want []int
	}{
		"with a group":     {process{ownGroup: true}, []int{child}},
		"without one":      {process{}, []int{member, child}},
		"with a bystander": {process{bystanders: map[int]int64{child: started}}, []int{member}},
		"that was seen":    {process{bystanders: map[int]int64{child: started}, seen: map[int]int64{child: started}}, []int{member, child}},
		"that was another": {process{bystanders: map[int]int64{child: started}, seen: map[int]int64{child: started - 1}}, []int{member}},
	} {
		for range 5 { // the table has another order each time
			p := test.process
			p.pid, p.token, p.seen = command, mark(), maps.Clone(test.seen)
			var found []int
			for _, stray := range (&System{}).strays(&p) {
				found = append(found, stray.pid)
			}
			slices.Sort(found)
			slices.Sort(test.want)
			if !slices.Equal(found, test.want) {
				t.Errorf("%s: %v, want %v", name, found, test.want)
			}
		}
	}
}

// TestGone checks that nothing is left of an attempt if its group is empty and retry has no children except bystanders.
func TestGone(t *testing.T) {
	s, token := newSystem(), mark()
	command := ended(t)
	check := func(what string, p process, want bool) {
		t.Helper()
		p.pid, p.exited, p.ownGroup, p.token = command, true, true, token
		if s.gone(&p) != want {
			t.Errorf("%s: gone is %t", what, !want)
		}
	}
	check("nothing", process{}, true)
	other, _ := launch(t, token, "echo; read x")
	child := other.Process.Pid
	started := proctable.Read()[child].Started
	check("an orphan", process{}, false)
	check("a bystander", process{bystanders: map[int]int64{child: started}}, true)
	check("one with the number of a bystander", process{bystanders: map[int]int64{child: started - 1}}, false)
	if !groupLives(child) || groupLives(command) {
		t.Errorf("a group has processes: %t; after its end: %t", groupLives(child), groupLives(command))
	}
}

// TestGroupWithoutLeader has a group that outlives its leader.
func TestGroupWithoutLeader(t *testing.T) {
	leader, _ := launch(t, mark(), "sleep 300 >/dev/null & echo")
	_ = leader.Wait()
	p := &process{pid: leader.Process.Pid, exited: true, ownGroup: true, token: mark(), bystanders: map[int]int64{1: 1}}
	s := newSystem()
	if !groupLives(p.pid) || s.gone(p) {
		t.Error("it is gone before its last process")
	}
	s.send(p, syscall.SIGKILL)
	eventually(t, "the group to be gone", func() bool { return !groupLives(p.pid) })
}

// TestStoppedIsAsked sends a signal to a stopped process, which must receive it.
func TestStoppedIsAsked(t *testing.T) {
	child, _ := launch(t, mark(), "echo; read x")
	pid := child.Process.Pid
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a stop", func() bool { return stopped(pid) })
	p := &process{pid: pid, ownGroup: true, token: mark()}
	if !newSystem().signalAll(p, policy.Signal{Number: int(syscall.SIGTERM)}) {
		t.Error("it was not asked")
	}
	eventually(t, "its end", func() bool {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
		return err == nil && info.Signo != 0
	})
}

// TestSendSpares checks that a signal without a recipient doesn't count as refused, and that KILL spares bystanders.
func TestSendSpares(t *testing.T) {
	adopt(t)
	pid := orphan(t)
	started := proctable.Read()[pid].Started
	p := &process{pid: ended(t), ownGroup: true, token: mark(), bystanders: map[int]int64{pid: started}}
	s := newSystem()
	if s.send(p, syscall.SIGKILL); p.refused {
		t.Error("a signal without a recipient was refused")
	}
	p.bystanders = nil
	s.send(p, syscall.SIGCONT)
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := reapOne(t, pid); status.Signal() != syscall.SIGTERM {
		t.Errorf("it had been ended by %v", status.Signal())
	}
}

// reapOne waits for a child and returns how it ended.
func reapOne(t *testing.T, pid int) (status syscall.WaitStatus) {
	t.Helper()
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	return status
}

// TestHunt ends all orphans.
func TestHunt(t *testing.T) {
	adopt(t)
	orphans := []int{orphan(t), orphan(t)}
	s := newSystem()
	s.hunt()
	for _, pid := range orphans {
		_ = syscall.Kill(pid, syscall.SIGTERM)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err == nil && status.Signal() != syscall.SIGKILL {
			t.Error("an orphan was left alive")
		}
	}
}

// TestReap records the status of the command, and ignores other children that have ended.
func TestReap(t *testing.T) {
	s := newSystem()
	living, _ := launch(t, mark(), "echo; read x")
	s.current = &process{pid: living.Process.Pid}
	if s.reapAll() || s.current.exited {
		t.Fatal("a living child was reaped")
	}
	for status := range 3 {
		pid, err := syscall.ForkExec("/bin/sh", []string{"sh", "-c", "exit " + strconv.Itoa(status)}, &syscall.ProcAttr{})
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
			t.Fatal(err)
		}
		if status > 0 {
			s.current = &process{pid: pid}
		}
		if !s.reapAll() || s.current.exited != (status > 0) || s.current.lost || s.current.status.ExitStatus() != max(0, status) {
			t.Errorf("status %d: %+v", status, s.current)
		}
	}
	if s.reapAll() {
		t.Error("a child was reaped twice")
	}
	s.current = &process{pid: living.Process.Pid}
	_ = living.Process.Kill()
	_ = living.Wait()
	if s.reapAll() || !s.current.exited || !s.current.lost {
		t.Errorf("something else has reaped it: %+v", s.current)
	}
	if _, err := s.leave(s.current, policy.Exited); err == nil {
		t.Error("a lost status was made up")
	}
}

// TestSurvivorIsNamed names the process that KILL has not ended, and its owner only if that is the reason.
func TestSurvivorIsNamed(t *testing.T) {
	mine, none := mark(), mark()
	child, _ := launch(t, mine, "echo; read x")
	pid, command := child.Process.Pid, ended(t)
	other, why := 1, "process 1 belongs to root"
	if info, err := os.Stat("/proc/1"); err != nil {
		t.Fatal(err)
	} else if info.Sys().(*syscall.Stat_t).Uid == uint32(os.Getuid()) {
		why = "process 1 survived" // in a container of this user
	}
	if os.Getuid() == 0 {
		command := exec.Command("sleep", "300")
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = command.Process.Kill(); _ = command.Wait() }()
		other = command.Process.Pid
		why = fmt.Sprintf("process %d belongs to user 65534", other)
	}
	all := map[int]int64{pid: proctable.Read()[pid].Started, other: proctable.Read()[other].Started}
	for _, test := range []struct {
		process
		want string
	}{
		{process{pid: command, exited: true, token: mine, bystanders: map[int]int64{other: all[other]}}, fmt.Sprintf("process %d survived", pid)},
		{process{pid: command, token: none}, fmt.Sprintf("process %d survived", command)},
		{process{pid: command, exited: true, bystanders: all, token: none}, fmt.Sprintf("process %d survived", command)},
		{process{pid: other, token: none}, fmt.Sprintf("process %d survived", other)},
		{process{pid: other, refused: true, token: none}, why},
	} {
		if got := newSystem().survivor(&test.process); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
