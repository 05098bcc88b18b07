package stream

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Rewinder truncates files to which a failed attempt has appended to the length that they had before the attempt.
type Rewinder struct {
	names  []string
	before []found // for each file, what it was before the attempt
}

// found is the result of os.Stat.
type found struct {
	info fs.FileInfo
	err  error
}

// NewRewinder returns a Rewinder for the named files.
func NewRewinder(names []string) *Rewinder {
	return &Rewinder{names, make([]found, len(names))}
}

// Note records the lengths of the files before an attempt.
func (r *Rewinder) Note() {
	for i, name := range r.names {
		r.before[i].info, r.before[i].err = os.Stat(name)
	}
}

// Rewind truncates the files. It leaves a file alone and returns a warning if the file has been removed or replaced,
// has become shorter, or can't be truncated.
func (r *Rewinder) Rewind() (warnings []string) {
	for i, name := range r.names {
		if err := cut(name, r.before[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			warnings = append(warnings, fmt.Sprintf("--rewind: %s is left as it is: %v", name, err))
		}
	}
	return warnings
}

func cut(name string, before found) error {
	now, err := os.Stat(name)
	existed, size := before.err == nil, int64(0)
	if existed {
		size = before.info.Size()
	}
	switch {
	case !existed && !errors.Is(before.err, fs.ErrNotExist):
		return fmt.Errorf("its length before the attempt is unknown: %w", before.err)
	case errors.Is(err, fs.ErrNotExist) && existed:
		return errors.New("it has been removed")
	case err != nil:
		return err
	case !now.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case existed && !os.SameFile(before.info, now):
		return errors.New("it has been replaced")
	case now.Size() < size:
		return errors.New("it has become shorter")
	case now.Size() == size:
		return nil
	}
	if err := os.Truncate(name, size); err != nil {
		return err
	}
	pullBack(now, size)
	return nil
}

// pullBack moves retry's own offset in a truncated file back to the file's new end. Without that, the next write would
// leave a gap of zero bytes there, unless it appends.
func pullBack(file fs.FileInfo, size int64) {
	for _, output := range [...]*os.File{os.Stdout, os.Stderr} {
		if info, err := output.Stat(); err != nil || !os.SameFile(info, file) {
			continue
		}
		if at, err := output.Seek(0, io.SeekCurrent); err == nil {
			_, _ = output.Seek(min(at, size), io.SeekStart)
		}
	}
}
