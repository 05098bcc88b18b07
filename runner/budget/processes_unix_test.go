//go:build unix

package budget

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"retry/policy"
)

// shared is the budget of these tests. No tokens come back with time, and all sums are exact.
var shared = policy.Budget{Tokens: 100000, Refund: 0.25}

// roles are the programs that this test binary plays. Each gets the path of a budget and a number.
var roles = map[string]func(s *Store, n int) error{
	"take":  take,
	"give":  give,
	"keep":  keep,
	"churn": churn,
	"cramp": cramp,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv("RETRY_TEST_ROLE")]
	if role == nil {
		os.Exit(m.Run())
	}
	s, err := Open(os.Args[1], shared)
	if err == nil {
		s.patience = 5 * time.Minute // the machine may be busy
		n, _ := strconv.Atoi(os.Args[2])
		err = role(s, n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// take takes n tokens once its input ends, and prints how many it got.
func take(s *Store, n int) error {
	_, _ = io.Copy(io.Discard, os.Stdin)
	taken := 0
	for range n {
		ok, err := s.Take()
		if err != nil {
			return err
		}
		if ok {
			taken++
		}
	}
	fmt.Println(taken)
	return nil
}

// give reports n successes to the budget once its input ends.
func give(s *Store, n int) error {
	_, _ = io.Copy(io.Discard, os.Stdin)
	for range n {
		if err := s.GiveBack(); err != nil {
			return err
		}
	}
	return nil
}

// keep holds the lock until its input ends.
func keep(s *Store, _ int) error {
	file, err := lockedfile.Edit(s.path)
	if err != nil {
		return err
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return file.Close()
}

// churn takes tokens, and prints a letter for each, until it is killed.
func churn(s *Store, _ int) error {
	for {
		ok, err := s.Take()
		if err != nil || !ok {
			return fmt.Errorf("%v, %w", ok, err)
		}
		if _, err := os.Stdout.WriteString("t"); err != nil {
			return err
		}
	}
}

// cramp takes a token while no file may be longer than n bytes, which has the effect of a full disk.
func cramp(s *Store, n int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	before := limit
	assign(&limit.Cur, n)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	ok, err := s.Take()
	fmt.Printf("%v, %v\n", ok, err)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before) // go test -cover writes at the end
}

// assign sets a number whose type differs between systems.
func assign[T int64 | uint64](number *T, n int) { *number = T(n) }

// play returns a command that plays a role.
func play(t *testing.T, role, path string, n int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, path, strconv.Itoa(n))
	command.Env = append(os.Environ(), "RETRY_TEST_ROLE="+role, "GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0")
	return command
}

// crowd runs a hundred processes in a role at once, and returns all that they print.
func crowd(t *testing.T, role, path string, n int) string {
	t.Helper()
	start, begin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var said [100]bytes.Buffer
	var running []*exec.Cmd
	for i := range said {
		command := play(t, role, path, n)
		command.Stdin, command.Stdout, command.Stderr = start, &said[i], &said[i]
		if err := command.Start(); err != nil {
			t.Error(err)
			break
		}
		running = append(running, command)
	}
	_ = start.Close()
	_ = begin.Close()
	var all strings.Builder
	for i, command := range running {
		if err := command.Wait(); err != nil {
			t.Errorf("%v: %s", err, said[i].String())
		}
		all.WriteString(said[i].String())
	}
	return all.String()
}

// A hundred processes together get exactly as many tokens as there are, and everything that they give back is counted.
func TestManyProcesses(t *testing.T) {
	path := file(t)
	write(t, path, slot{1, policy.Bucket{Tokens: 321}}.String())
	sum := 0
	for word := range strings.FieldsSeq(crowd(t, "take", path, 7)) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Error(err)
		}
		sum += n
	}
	s, _ := open(t, path, shared)
	s.clock = wall
	if holds(t, s, 0); sum != 321 {
		t.Errorf("of 321 tokens %d were taken", sum)
	}
	crowd(t, "give", path, 7)
	holds(t, s, 175)
}

// A hundred processes that all try to create the file and the directories lose nothing either.
func TestManyProcessesBegin(t *testing.T) {
	home(t)
	crowd(t, "take", "ci", 1)
	s, _ := open(t, "ci", shared)
	s.clock = wall
	holds(t, s, shared.Tokens-100)
}

// A process that is stopped while it holds the lock costs the others their patience and one goroutine.
func TestStoppedHolder(t *testing.T) {
	path := file(t)
	s, _ := open(t, path, shared)
	takes(t, s, true)
	before := content(t, path)
	holder := play(t, "keep", path, 0)
	input, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer holder.Process.Kill()
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "locked\n" {
		t.Fatalf("%q, %v", line, err)
	}
	var status syscall.WaitStatus
	if err := holder.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Wait4(holder.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("%v, %v", status, err)
	}
	s.patience = time.Millisecond
	goroutines := runtime.NumGoroutine()
	for range 3 {
		refuses(t, s, path+" stays locked by another process")
	}
	if n := runtime.NumGoroutine(); n > goroutines+1 {
		t.Errorf("%d goroutines are waiting", n-goroutines)
	}
	if err := holder.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_ = input.Close()
	if err := holder.Wait(); err != nil {
		t.Fatal(err)
	}
	s.turn <- struct{}{} // possible once the abandoned wait has ended
	<-s.turn
	if after := content(t, path); after != before {
		t.Errorf("an abandoned wait changed the file to\n%s", after)
	}
	s.patience = time.Minute
	takes(t, s, true)
}

// A full disk prevents the change and does no other harm.
func TestFullDisk(t *testing.T) {
	one := slot{1, policy.Bucket{Tokens: 7, At: noon}}.String()
	two := one + slot{2, policy.Bucket{Tokens: 6, At: noon}}.String()
	tests := []struct {
		name, content string
		room          int
		left          float64
		damaged       bool
	}{
		{"no room for the first slot", "", 0, shared.Tokens, false},
		{"room for a part of the first slot", "", 100, shared.Tokens, true},
		{"no room for the second slot", one, slotSize, 7, false},
		{"room for a part of the second slot", one, slotSize + 100, 7, false},
		{"no room to write over the first slot", two, 0, 6, false},
		{"room for a part of the first slot, over an older one", two, 100, 6, false},
	}
	for _, test := range tests {
		path := file(t)
		write(t, path, test.content)
		want := fmt.Sprintf("true, write %s: file too large\n", path)
		if said, err := play(t, "cramp", path, test.room).CombinedOutput(); string(said) != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", test.name, said, err, want)
		}
		s, _ := open(t, path, shared)
		k, _, err := s.State()
		if k.Tokens != test.left || (err != nil) != test.damaged {
			t.Errorf("%s: it left %v, %v, want %v", test.name, k.Tokens, err, test.left)
		}
		ok, err := s.Take()
		if !ok || (err != nil) != test.damaged {
			t.Errorf("%s: afterwards %v, %v", test.name, ok, err)
		}
		holds(t, s, test.left-1)
	}
}

// tally counts the bytes that a process prints, and closes began when the first of them comes.
type tally struct {
	once  sync.Once
	began chan struct{}
	count int
}

func (c *tally) Write(data []byte) (int, error) {
	c.once.Do(func() { close(c.began) })
	c.count += len(data)
	return len(data), nil
}

// Whenever a writer is killed, the state can still be read. It lacks all tokens that were taken, and at most one more
// for each killed process, which could no longer print that it got one.
func TestKilled(t *testing.T) {
	const writers, rounds = 4, 12
	folder := home(t)
	s, _ := open(t, "ci", shared)
	s.clock = wall
	takes(t, s, true)
	first, err := os.Lstat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	rng, said := rand.New(rand.NewPCG(20, 26)), 1
	for round := range rounds {
		var tallies [writers]*tally
		var running [writers]*exec.Cmd
		for i := range running {
			tallies[i] = &tally{began: make(chan struct{})}
			running[i] = play(t, "churn", "ci", 0)
			running[i].Stdout, running[i].Stderr = tallies[i], os.Stderr
			if err := running[i].Start(); err != nil {
				t.Fatal(err)
			}
			defer running[i].Process.Kill()
		}
		for i := range running {
			<-tallies[i].began
		}
		for _, i := range rng.Perm(writers) {
			time.Sleep(time.Duration(rng.IntN(2000)) * time.Microsecond)
			_ = running[i].Process.Kill()
			if k, _, err := s.State(); err != nil {
				t.Fatalf("round %d: %+v, %v\n%s", round, k, err, content(t, s.path))
			}
			_ = running[i].Wait()
			said += tallies[i].count
		}
	}
	k, _, err := s.State()
	if spent := int(shared.Tokens - k.Tokens); err != nil || spent < said || spent > said+writers*rounds {
		t.Errorf("%d tokens are gone, the processes printed that they took %d, %v", spent, said, err)
	}
	list, err := os.ReadDir(filepath.Join(folder, "retry", "budgets"))
	last, _ := os.Lstat(s.path)
	if err != nil || len(list) != 1 || !os.SameFile(first, last) {
		t.Errorf("there is %v, %v", list, err)
	}
}
