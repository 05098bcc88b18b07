package stream

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A Rewinder cuts files to which a failed attempt has appended back to the length that they had before it.
type Rewinder struct {
	names  []string
	before []fs.FileInfo // of each file; nil if there was none
}

// NewRewinder returns a Rewinder of the files of those names.
func NewRewinder(names []string) *Rewinder {
	return &Rewinder{names, make([]fs.FileInfo, len(names))}
}

// Note keeps the lengths before an attempt.
func (r *Rewinder) Note() {
	for i, name := range r.names {
		r.before[i], _ = os.Stat(name)
	}
}

// Rewind cuts the files. A file that has been replaced or has become shorter, or that can't be cut, is left alone and gets
// a warning.
func (r *Rewinder) Rewind() (warnings []string) {
	for i, name := range r.names {
		if err := cut(name, r.before[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			warnings = append(warnings, fmt.Sprintf("--rewind: %s is left as it is: %v", name, err))
		}
	}
	return warnings
}

func cut(name string, before fs.FileInfo) error {
	now, err := os.Stat(name)
	size := int64(0)
	if before != nil {
		size = before.Size()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && before != nil:
		return errors.New("it has been removed")
	case err != nil:
		return err
	case !now.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case before != nil && !os.SameFile(before, now):
		return errors.New("it has been replaced")
	case now.Size() < size:
		return errors.New("it has become shorter")
	case now.Size() == size:
		return nil
	}
	return os.Truncate(name, size)
}
