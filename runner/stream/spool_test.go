package stream

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// A spool returns what was written to it, in whatever pieces, before and after it uses a file, and is empty after that.
func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, spoolMemory - 1, spoolMemory, spoolMemory + 1, 5*spoolMemory + 3} {
		rng := rand.New(rand.NewPCG(1, uint64(size)))
		var s spool
		for round := range 3 {
			var want []byte
			for len(want) < size {
				piece := bytes.Repeat([]byte{byte(rng.Uint32())}, 1+rng.IntN(min(size-len(want), spoolMemory)))
				if n, err := s.Write(piece); n != len(piece) || err != nil {
					t.Fatalf("size %d: wrote %d of %d, %v", size, n, len(piece), err)
				}
				want = append(want, piece...)
				// A replay reads while more is being written.
				offset := rng.IntN(len(want))
				got := make([]byte, min(1000, len(want)-offset))
				if n, err := s.ReadAt(got, int64(offset)); n != len(got) || (err != nil && err != io.EOF) ||
					!bytes.Equal(got, want[offset:offset+n]) {
					t.Fatalf("size %d: read %d bytes at %d of %d, %v", size, n, offset, len(want), err)
				}
			}
			if (s.file != nil) != (size > spoolMemory) {
				t.Errorf("size %d: has a file: %t", size, s.file != nil)
			}
			file := s.file
			if n, err := s.ReadAt(make([]byte, 1), int64(size)); n != 0 || err != io.EOF {
				t.Errorf("size %d: read %d bytes at the end, %v", size, n, err)
			}
			if round == 0 {
				s.clear()
				want = nil
			}
			var got bytes.Buffer
			if err := s.moveTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("size %d: got %d bytes, want %d, %v", size, got.Len(), len(want), err)
			}
			if s.size != 0 || s.file != nil || len(s.memory) != 0 {
				t.Errorf("size %d: the spool is not empty: %d bytes", size, s.size)
			}
			if file != nil && !errors.Is(file.Close(), os.ErrClosed) {
				t.Errorf("size %d: the file is still open", size)
			}
		}
	}
}

// limited is a writer with room for a number of bytes.
type limited struct{ room int }

var errFull = errors.New("full")

func (l *limited) Write(data []byte) (int, error) {
	n := min(l.room, len(data))
	l.room -= n
	if n < len(data) {
		return n, errFull
	}
	return n, nil
}

func TestSpoolErrors(t *testing.T) {
	for _, size := range []int{100, 3 * spoolMemory} {
		var s spool
		if _, err := s.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		if err := s.moveTo(&limited{size - 1}); err != errFull {
			t.Errorf("moved %d bytes to a writer with room for fewer: %v", size, err)
		}
		if s.file != nil || s.size != 0 {
			t.Error("the spool kept its file")
		}
	}
	t.Setenv("TMPDIR", "/no/such/directory")
	t.Setenv("TMP", "/no/such/directory")
	var s spool
	if _, err := s.Write(make([]byte, spoolMemory)); err != nil {
		t.Errorf("a few bytes, which need no file: %v", err)
	}
	if n, err := s.Write([]byte{1}); n != 0 || err == nil {
		t.Errorf("without a directory for its file it wrote %d bytes, %v", n, err)
	}
}
