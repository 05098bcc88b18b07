// Package budget stores retry budgets that many processes share, each in one small file. A change is made completely or
// not at all, no call waits for long, and a state that can't be used counts as a full budget. How a budget works is
// defined in package policy.
package budget

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"retry/policy"
)

// A Store is the state of one budget. Every method locks the file, reads the clock, changes the state if necessary, and
// unlocks the file.
//
// An error means that the state could not be used; the other results are then those of a full bucket. If the state is
// damaged or from the future, the same call replaces it by a full bucket.
type Store struct {
	path     string
	shared   bool  // it has a path, which several users may share, and not a name
	homeless error // why there is no directory for a name
	budget   policy.Budget

	clock    func() time.Duration // since the Unix epoch
	patience time.Duration        // how long a call waits for the lock
	user     int                  // who must own the file of a name
	turn     chan struct{}        // full during a call, and while a goroutine of a call that gave up still waits for the lock
}

// Take takes a token for a retry. ok is false if there is none.
func (s *Store) Take() (ok bool, err error) {
	err = s.change(os.O_CREATE, func(k policy.Bucket, now time.Duration) policy.Bucket {
		after, taken := s.budget.Take(k, now)
		if ok = taken; !ok {
			return k
		}
		return after
	})
	return ok || err != nil, err
}

// GiveBack adds what a success earns.
func (s *Store) GiveBack() error {
	if s.budget.Refund == 0 {
		return nil
	}
	return s.change(0, func(k policy.Bucket, now time.Duration) policy.Bucket {
		if s.budget.Refilled(k, now).Tokens == s.budget.Tokens {
			return k
		}
		return s.budget.GiveBack(k, now)
	})
}

// Hold holds back all retries until d from now, unless they are already held back for longer.
func (s *Store) Hold(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	return s.change(os.O_CREATE, func(k policy.Bucket, now time.Duration) policy.Bucket { return k.Hold(now, d) })
}

// Held returns for how much longer retries are held back.
func (s *Store) Held() (time.Duration, error) {
	var left time.Duration
	err := s.change(0, func(k policy.Bucket, now time.Duration) policy.Bucket {
		left = max(0, k.Held-now)
		return k
	})
	if err != nil {
		return 0, err
	}
	return left, nil
}

// State returns the current bucket and the time since the Unix epoch. It changes nothing, not even a damaged file.
func (s *Store) State() (policy.Bucket, time.Duration, error) {
	file, err := s.lock(os.O_RDONLY)
	now := s.clock()
	if err != nil {
		if err = present(err); err == nil && s.shared {
			_, err = os.Stat(filepath.Dir(s.path)) // a retry could not create the file either
		}
		return s.budget.Full(now), now, err
	}
	defer s.unlock(file)
	now = s.clock()
	newest, _, err := s.read(file, now)
	return s.budget.Refilled(newest.bucket, now), now, err
}

// change calls f, which returns the changed bucket. create is os.O_CREATE or 0. If it is 0 and there is no file, f
// isn't called.
func (s *Store) change(create int, f func(k policy.Bucket, now time.Duration) policy.Bucket) error {
	file, err := s.lock(os.O_RDWR | create)
	if err != nil {
		if create == 0 {
			err = present(err)
		}
		return err
	}
	defer s.unlock(file)
	// Read the clock after taking the lock: otherwise a change made meanwhile would be from the future.
	now := s.clock()
	newest, next, unusable := s.read(file, now)
	after := f(newest.bucket, now)
	if next < 0 || (after == newest.bucket && unusable == nil) {
		return unusable
	}
	if _, err := file.WriteAt([]byte(slot{newest.change + 1, after}.String()), next); err != nil {
		return err
	}
	return unusable
}

// present returns err, or nil if err says that there is no file.
func present(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read returns the newest slot and the offset for writing the next one, which is negative if the file must not be
// changed. With an error, the slot holds a full bucket.
func (s *Store) read(file *lockedfile.File, now time.Duration) (newest slot, next int64, err error) {
	full := slot{bucket: s.budget.Full(now)}
	content := make([]byte, fileSize)
	n, err := file.ReadAt(content, 0)
	if err != nil && err != io.EOF {
		return full, -1, err
	}
	content = content[:n]
	newest, next, ok := parseFile(string(content))
	switch behind := newest.bucket.At - now; {
	case ok && behind > time.Second:
		full.change = newest.change
		return full, next, fmt.Errorf("%s is dated %s in the future", s.path, policy.FormatDuration(behind))
	case ok:
		newest.bucket.Held = min(newest.bucket.Held, now+policy.LongestHold)
		return newest, next, nil
	case n == 0:
		return full, 0, nil
	case s.shared && !ours(string(content)):
		return full, -1, fmt.Errorf("%s is not a retry budget", s.path)
	}
	return full, 0, fmt.Errorf("%s is damaged", s.path)
}
