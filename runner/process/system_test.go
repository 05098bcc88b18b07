package process

import (
	"errors"
	"testing"
)

// short writes the beginning of what it is given.
type short int

func (s short) Write([]byte) (int, error) { return int(s), errors.New("full") }

// TestOwnLinesCount counts what was written of a line, as a writer has to.
func TestOwnLinesCount(t *testing.T) {
	if n, err := (ownLines{short(3), &System{}}).Write([]byte("12345")); n != 3 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}
