package process

import (
	"errors"
	"testing"
)

// short is a writer that writes only the beginning of what it gets.
type short int

func (s short) Write([]byte) (int, error) { return int(s), errors.New("full") }

// TestOwnLinesCount checks that Write returns how much of the line was written, as an io.Writer must.
func TestOwnLinesCount(t *testing.T) {
	if n, err := (ownLines{short(3), &System{}}).Write([]byte("12345")); n != 3 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}
