package budget

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"retry/policy"
)

// patience is how long a call waits for the lock. A process holds it only for the time of a read and a write, unless it
// has been stopped.
const patience = 2 * time.Second

// Open returns the store with a name or, if that contains a slash, a path. It doesn't access any file. An error means
// bad usage.
func Open(name string, b policy.Budget) (*Store, error) {
	s := &Store{
		path: name, shared: true, budget: b,
		clock: wall, patience: patience, user: os.Geteuid(), turn: make(chan struct{}, 1),
	}
	switch {
	case name != "" && os.IsPathSeparator(name[len(name)-1]):
		return nil, fmt.Errorf("%q is a directory; use the path of a file", name)
	case slices.ContainsFunc([]byte(name), os.IsPathSeparator):
		return s, nil
	case !validName(name):
		return nil, fmt.Errorf("%q is not a budget name; use at most 64 letters, digits, dots, hyphens and underscores, "+
			"a letter or digit first, or a path with a slash", name)
	}
	home, err := stateHome()
	s.homeless = err
	s.path, s.shared = filepath.Join(home, "retry", "budgets", name), false
	return s, nil
}

// validName reports whether a budget can have this name. On Windows that excludes the names of devices, such as NUL.
func validName(name string) bool {
	const first = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return name != "" && len(name) <= 64 && strings.Contains(first, name[:1]) && strings.Trim(name, first+"._-") == "" &&
		filepath.IsLocal(name)
}

// wall returns the time since the Unix epoch, or 0 if the clock is set to a time before it.
func wall() time.Duration { return max(0, time.Duration(time.Now().UnixNano())) }

// lock opens the file and locks it; the lock is shared if flag is os.O_RDONLY. It gives up after s.patience, because a
// process that has been stopped may hold the lock.
func (s *Store) lock(flag int) (*lockedfile.File, error) {
	if s.homeless != nil {
		return nil, s.homeless
	}
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	locked := fmt.Errorf("%s stays locked by another process", s.path)
	select {
	case s.turn <- struct{}{}:
	case <-timer.C:
		return nil, locked
	}
	type result struct {
		file *lockedfile.File
		err  error
	}
	got, tooLate := make(chan result), make(chan struct{})
	go func() {
		file, err := s.open(flag)
		select {
		case got <- result{file, err}:
		case <-tooLate:
			s.unlock(file)
		}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			s.unlock(nil)
		}
		return r.file, r.err
	case <-timer.C:
		close(tooLate)
		return nil, locked
	}
}

// unlock closes the file, if there is one, which releases its lock, and ends the turn.
func (s *Store) unlock(file *lockedfile.File) {
	if file != nil {
		_ = file.Close() // what was written is in the file, or its error is known
	}
	<-s.turn
}

// open opens the file and waits for its lock.
func (s *Store) open(flag int) (*lockedfile.File, error) {
	create, mode := flag&os.O_CREATE != 0, fs.FileMode(0o666)
	if !s.shared {
		mode = 0o600
		if err := s.folders(create); err != nil {
			return nil, err
		}
	}
	for tries := 0; ; tries++ {
		file, err := s.openExisting(flag &^ os.O_CREATE)
		if !create || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
		// Linux rejects O_CREAT for another user's file in /tmp, so only a new file gets it. O_EXCL follows no link.
		file, err = lockedfile.OpenFile(s.path, flag|os.O_EXCL|careful, mode)
		if err == nil && s.shared {
			share(file)
		}
		if tries == 9 || !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// openExisting opens an existing file. It checks what kind of file that is both before, because opening a device can
// have effects, and after.
func (s *Store) openExisting(flag int) (*lockedfile.File, error) {
	info, err := os.Lstat(s.path)
	if err == nil {
		err = s.check(s.path, info, false)
	}
	if err != nil {
		return nil, err
	}
	file, err := lockedfile.OpenFile(s.path, flag|careful, 0)
	if errors.Is(err, fs.ErrPermission) && s.shared {
		err = fmt.Errorf("%w: %s", err, remedy(s.path, info))
	}
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = s.check(s.path, info, false)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// folders checks the directories of the user's own budgets, and creates missing ones if create is true.
func (s *Store) folders(create bool) error {
	budgets := filepath.Dir(s.path)
	retry := filepath.Dir(budgets)
	for _, folder := range []string{retry, budgets} {
		info, err := os.Lstat(folder)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err = os.MkdirAll(folder, 0o700); err == nil {
				info, err = os.Lstat(folder)
			}
		}
		if err == nil {
			err = s.check(folder, info, true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if a file or directory must not be used.
func (s *Store) check(path string, info fs.FileInfo, folder bool) error {
	mode := info.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", path)
	case folder && !mode.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case !folder && !mode.IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case !s.shared && !belongs(info, s.user):
		return fmt.Errorf("%s belongs to another user", path)
	}
	return nil
}
