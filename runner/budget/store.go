// Package budget keeps retry budgets that many processes share, one small file each.
package budget

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"retry/policy"
)

// A Store is the state of one budget. Every call takes the lock of its file, looks at the clock, changes the state where
// there is something to change, and lets go.
//
// An error says that the state can't be used just now; the answer beside it is that of a full bucket. What is damaged,
// or from later than now, is replaced by a full bucket in the same call.
type Store struct {
	path     string
	shared   bool  // a path, which several users may share, not a name of this user's own
	homeless error // why there is no folder for a name
	budget   policy.Budget

	clock    func() time.Duration // since the Unix epoch
	patience time.Duration        // how long the lock is waited for
	user     int                  // whom a file of one's own has to belong to
	turn     chan struct{}        // holds an element while a call is under way, or still waits for the lock after its end
}

// Take takes a token for a retry. ok is false where there is none.
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

// GiveBack gives back what a success earns.
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

// Hold asks everybody for no retry before d from now. One that ends later stays.
func (s *Store) Hold(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	return s.change(os.O_CREATE, func(k policy.Bucket, now time.Duration) policy.Bucket { return k.Hold(now, d) })
}

// Held is how long there is to be no retry yet.
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

// State is the bucket as it is now, and the time. It changes nothing, not even what is damaged.
func (s *Store) State() (policy.Bucket, time.Duration, error) {
	file, err := s.lock(os.O_RDONLY)
	now := s.clock()
	if err != nil {
		return s.budget.Full(now), now, present(err)
	}
	defer s.unlock(file)
	now = s.clock()
	newest, _, err := s.read(file, now)
	return s.budget.Refilled(newest.bucket, now), now, err
}

// change lets f change the bucket. create is os.O_CREATE or 0: without a file the bucket is full, and f is not asked.
func (s *Store) change(create int, f func(k policy.Bucket, now time.Duration) policy.Bucket) error {
	file, err := s.lock(os.O_RDWR | create)
	if err != nil {
		if create == 0 {
			err = present(err)
		}
		return err
	}
	defer s.unlock(file)
	// Not before the lock is there: what another has written meanwhile would be from later than now.
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

// present is an error, unless it is that there is no file.
func present(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read gives the newest slot, and the offset that the next is to be written to: below 0 where the file must stay as it
// is. With an error the slot holds a full bucket.
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
		return full, next, fmt.Errorf("%s is from %s later than now", s.path, policy.FormatDuration(behind))
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
