package budget

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"retry/policy"
)

// noon is when the tests' clock starts. It is long before the present.
const noon = time.Duration(1e9) * time.Second

// open opens the budget with a path, and returns a clock that the test sets.
func open(t *testing.T, path string, b policy.Budget) (*Store, *time.Duration) {
	t.Helper()
	s, err := Open(path, b)
	if err != nil {
		t.Fatal(err)
	}
	now := noon
	s.clock = func() time.Duration { return now }
	s.patience = time.Minute
	return s, &now
}

// home gives the test a state directory of its own.
func home(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	t.Setenv("LOCALAPPDATA", folder)
	return folder
}

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "shared") }

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// takes calls Take and checks whether it got a token. An error fails the test.
func takes(t *testing.T, s *Store, want bool) {
	t.Helper()
	if ok, err := s.Take(); ok != want || err != nil {
		t.Fatalf("a retry: %v, %v, want %v", ok, err, want)
	}
}

// holds checks how many tokens there are.
func holds(t *testing.T, s *Store, want float64) {
	t.Helper()
	if k, _, err := s.State(); err != nil || k.Tokens != want {
		t.Fatalf("%v tokens, %v, want %v", k.Tokens, err, want)
	}
}

func TestStore(t *testing.T) {
	path := file(t)
	s, now := open(t, path, policy.Budget{Tokens: 2, Refund: 0.5, Refill: 0.25})
	other, elsewhere := open(t, path, policy.Budget{Tokens: 2, Refund: 0.5, Refill: 0.25})
	holds(t, s, 2)
	takes(t, s, true)
	holds(t, other, 1)
	takes(t, other, true)
	takes(t, s, false)
	if err := s.GiveBack(); err != nil {
		t.Fatal(err)
	}
	takes(t, other, false)
	*now += 2 * time.Second
	*elsewhere = *now
	holds(t, s, 1)
	takes(t, other, true)
	holds(t, s, 0)
	*now += time.Hour
	if k, at, err := s.State(); err != nil || at != *now || k != (policy.Bucket{Tokens: 2, At: *now}) {
		t.Errorf("%+v at %v, %v", k, at, err)
	}
	if text := content(t, path); len(text) != fileSize {
		t.Errorf("the file has %d bytes:\n%s", len(text), text)
	}
}

func TestStoreHold(t *testing.T) {
	path := file(t)
	s, now := open(t, path, policy.StandardBudget())
	other, elsewhere := open(t, path, policy.StandardBudget())
	held := func(want time.Duration) {
		t.Helper()
		*elsewhere = *now
		if left, err := other.Held(); left != want || err != nil {
			t.Fatalf("held %v, %v, want %v", left, err, want)
		}
	}
	hold := func(d time.Duration) {
		t.Helper()
		if err := s.Hold(d); err != nil {
			t.Fatal(err)
		}
	}
	held(0)
	hold(time.Minute)
	held(time.Minute)
	hold(time.Second)
	held(time.Minute)
	takes(t, s, true) // holds and tokens are independent
	*now += 59 * time.Second
	held(time.Second)
	*now += time.Hour
	held(0)
	hold(-time.Hour)
	held(0)
	// A call that was asked to wait for years, or whose clock was wrong, holds the others back for a day at most.
	hold(forever)
	held(policy.LongestHold)
	if k, _, err := s.State(); err != nil || k.Held != *now+policy.LongestHold || k.Tokens != 10 {
		t.Errorf("%+v, %v", k, err)
	}
	*now += time.Hour
	held(policy.LongestHold)
}

// If there is nothing to change, nothing is written and no file is created.
func TestStoreWritesLittle(t *testing.T) {
	folder := home(t)
	for _, name := range []string{"ci", filepath.Join(folder, "shared"), filepath.Join(folder, "none", "shared")} {
		s, _ := open(t, name, policy.Budget{Tokens: 1, Refund: 0.1})
		if !strings.Contains(name, "none") {
			holds(t, s, 1)
		}
		if left, err := s.Held(); left != 0 || err != nil {
			t.Errorf("%s: held %v, %v", name, left, err)
		}
		if err := errors.Join(s.GiveBack(), s.Hold(0)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := os.ReadDir(folder); len(list) != 0 || err != nil {
		t.Fatalf("there is %v, %v", list, err)
	}

	s, now := open(t, filepath.Join(folder, "shared"), policy.Budget{Tokens: 1, Refund: 0.1, Refill: 1})
	same := func(what string, f func() error) {
		t.Helper()
		before := content(t, s.path)
		if err := f(); err != nil || content(t, s.path) != before {
			t.Errorf("%s wrote:\n%s%v", what, content(t, s.path), err)
		}
	}
	write(t, s.path, "")
	same("a success with an empty file", s.GiveBack)
	same("a look at the hold of an empty file", func() error { _, err := s.Held(); return err })
	takes(t, s, true)
	same("a retry without a token", func() error { takes(t, s, false); return nil })
	if err := s.Hold(time.Hour); err != nil {
		t.Fatal(err)
	}
	same("a shorter hold", func() error { return s.Hold(time.Minute) })
	same("a look at the hold", func() error { _, err := s.Held(); return err })
	same("a look", func() error { _, _, err := s.State(); return err })
	*now += time.Hour
	same("a success with a bucket that time has filled", s.GiveBack)
	takes(t, s, true)
	s.budget.Refund = 0
	same("a success that earns nothing", s.GiveBack)
}

// If a budget has become smaller, it doesn't keep the tokens of the larger one.
func TestStoreSmallerBudget(t *testing.T) {
	path := file(t)
	large, _ := open(t, path, policy.Budget{Tokens: 100})
	takes(t, large, true)
	small, _ := open(t, path, policy.Budget{Tokens: 2})
	holds(t, small, 2)
	takes(t, small, true)
	takes(t, small, true)
	takes(t, small, false)
	takes(t, large, false)
}

// calls are all methods, and what each of them leaves of a full bucket of 10.
var calls = []struct {
	name string
	call func(s *Store) error
	left policy.Bucket
}{
	{"take", func(s *Store) error {
		ok, err := s.Take()
		if !ok {
			err = errors.New("no token")
		}
		return err
	}, policy.Bucket{Tokens: 9, At: noon}},
	{"give back", (*Store).GiveBack, policy.Bucket{Tokens: 10, At: noon}},
	{"hold", func(s *Store) error { return s.Hold(time.Minute) }, policy.Bucket{Tokens: 10, At: noon, Held: noon + time.Minute}},
	{"held", func(s *Store) error {
		left, err := s.Held()
		if left != 0 {
			err = errors.New("held")
		}
		return err
	}, policy.Bucket{Tokens: 10, At: noon}},
}

// unusable checks that State leaves a state that can't be used as it is, and that every other call reports it once,
// returns the result for a full budget, and repairs it.
func unusable(t *testing.T, what, text, want string) {
	t.Helper()
	home(t)
	for _, c := range calls {
		s, _ := open(t, "ci", policy.Budget{Tokens: 10, Refund: 0.1})
		takes(t, s, true)
		write(t, s.path, text)
		k, now, err := s.State()
		if k != s.budget.Full(noon) || now != noon || err == nil || err.Error() != s.path+want || content(t, s.path) != text {
			t.Errorf("%s: the state is %+v, %v, want %s%s", what, k, err, s.path, want)
		}
		if err := c.call(s); err == nil || err.Error() != s.path+want {
			t.Errorf("%s: %s: %v, want %s%s", what, c.name, err, s.path, want)
		}
		if k, _, err := s.State(); k != c.left || err != nil {
			t.Errorf("%s: %s left %+v, %v, want %+v", what, c.name, k, err, c.left)
		}
		takes(t, s, true)
	}
}

func TestStoreDamaged(t *testing.T) {
	a, b := slot{8, policy.Bucket{Tokens: 5, At: noon}}.String(), slot{9, bucket}.String()
	for name, text := range map[string]string{
		"one byte":               "r",
		"a torn first slot":      a[:100],
		"all but the newline":    a[:slotSize-1],
		"zeros":                  strings.Repeat("\x00", fileSize),
		"zeros, longer":          strings.Repeat("\x00", 4096),
		"a later version":        strings.Replace(a, mark, "retry-budget 2 ", 1),
		"another sum":            strings.Replace(a, " sum ", "  sum", 1),
		"other tokens":           strings.Replace(a, "tokens 5", "tokens 6", 1),
		"both":                   strings.ToUpper(a) + strings.ToUpper(b),
		"not a number of tokens": slot{1, policy.Bucket{Tokens: -1, At: noon}}.String(),
		"before the epoch":       slot{1, policy.Bucket{Tokens: 1, At: -1}}.String(),
		"DOS line ends":          strings.ReplaceAll(a, " \n", "\r\n"),
		"cut in front":           (a + b)[1:],
	} {
		unusable(t, name, text, " is damaged")
	}
}

func TestStoreClockWentBack(t *testing.T) {
	later := slot{8, policy.Bucket{Tokens: 0, At: noon + time.Hour, Held: noon + 2*time.Hour}}.String()
	unusable(t, "an hour", later, " is dated 1h in the future")
	later = slot{8, policy.Bucket{Tokens: 0, At: noon + time.Second + 1}}.String()
	unusable(t, "a little more than a second", later, " is dated 1s in the future")

	path := file(t)
	s, now := open(t, path, policy.Budget{Tokens: 10, Refill: 1})
	takes(t, s, true)
	*now -= time.Second
	holds(t, s, 9)
	takes(t, s, true)
	*now += time.Second
	holds(t, s, 8)
}

// The user's own directory contains nothing but budgets, so any file there is repaired. A path may have been mistyped.
func TestStoreKeepsWhatIsNotABudget(t *testing.T) {
	path := file(t)
	home(t)
	for _, text := range []string{"x", "my thesis\n", strings.Repeat("my thesis\n", 100), "\xff\xfe\x00", "retry-budget 2 new\n"} {
		write(t, path, text)
		for _, c := range calls {
			s, _ := open(t, path, policy.Budget{Tokens: 10, Refund: 0.1})
			for range 2 {
				if err := c.call(s); err == nil || err.Error() != path+" is not a retry budget" {
					t.Errorf("%q: %s: %v", text, c.name, err)
				}
			}
			if got := content(t, path); got != text {
				t.Errorf("%s made %q of %q", c.name, got, text)
			}
		}
		own, _ := open(t, "ci", policy.Budget{Tokens: 10})
		takes(t, own, true)
		write(t, own.path, text)
		if ok, err := own.Take(); !ok || err == nil || err.Error() != own.path+" is damaged" {
			t.Errorf("%q: %v, %v", text, ok, err)
		}
		holds(t, own, 9)
	}
}

func TestOpen(t *testing.T) {
	folder := home(t)
	long := strings.Repeat("a", 64)
	for _, name := range []string{"ci", "0", "A.b_c-9", "a..", long} {
		s, err := Open(name, policy.StandardBudget())
		if err != nil || s.shared || s.path != filepath.Join(folder, "retry", "budgets", name) {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	for _, name := range []string{"/tmp/ci", "./ci", "../a b", "x/.", "./" + long + long, "./é"} {
		s, err := Open(name, policy.StandardBudget())
		if err != nil || !s.shared || s.path != name {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	for _, name := range []string{"", ".", "..", ".ci", "-ci", "_ci", "a b", "a:b", "é", "aé", "a\n", long + "a", "a*"} {
		s, err := Open(name, policy.StandardBudget())
		if err == nil || !strings.Contains(err.Error(), "is not a budget name; use ") {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	for _, name := range []string{"/", "/tmp/", "a/"} {
		s, err := Open(name, policy.StandardBudget())
		if err == nil || !strings.Contains(err.Error(), "is a directory; use the path of a file") {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	if list, err := os.ReadDir(folder); len(list) != 0 || err != nil {
		t.Errorf("Open created %v, %v", list, err)
	}
}

// A directory that can't be used, or a file in its place, is an error, and the result is that for a full budget.
func TestStoreNoFolder(t *testing.T) {
	folder := home(t)
	write(t, filepath.Join(folder, "retry"), "")
	write(t, filepath.Join(folder, "plain"), "")
	for _, name := range []string{"ci", filepath.Join(folder, "plain", "x"), filepath.Join(folder, "none", "x"), folder + "/."} {
		s, _ := open(t, name, policy.StandardBudget())
		if ok, err := s.Take(); !ok || err == nil || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		if k, _, err := s.State(); k != s.budget.Full(noon) || err == nil || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: the state %+v, %v", name, k, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of a path was created: %v", err)
	}
}

// If somebody keeps the lock, a call waits out its patience and returns the result for a full budget. An abandoned wait
// changes nothing.
func TestStoreLocked(t *testing.T) {
	path := file(t)
	s, _ := open(t, path, policy.Budget{Tokens: 10, Refund: 0.1})
	takes(t, s, true)
	holder, err := lockedfile.Edit(path)
	if err != nil {
		t.Fatal(err)
	}
	before := make([]byte, fileSize+1)
	n, _ := holder.ReadAt(before, 0)
	s.patience = time.Millisecond
	for _, c := range calls {
		if err := c.call(s); err == nil || err.Error() != path+" stays locked by another process" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if k, _, err := s.State(); err == nil || k != s.budget.Full(noon) {
		t.Errorf("the state: %+v, %v", k, err)
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	s.turn <- struct{}{} // possible once the abandoned wait has ended
	<-s.turn
	if !bytes.Equal([]byte(content(t, path)), before[:n]) {
		t.Errorf("an abandoned wait changed the file:\n%s", content(t, path))
	}
	s.patience = time.Minute
	takes(t, s, true)
	holds(t, s, 8)
}
