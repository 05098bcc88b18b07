package runner

import (
	"errors"
	"os"
)

// input is the command's standard input.
type input struct{ mode Input }

func (in *input) open() (*os.File, error) {
	switch in.mode {
	case Nothing:
		return os.Open(os.DevNull)
	case Replay:
		return nil, errors.New("standard input can't be replayed on this system yet")
	}
	return nil, nil
}

func (in *input) start(chan<- error) {}
func (in *input) stop()              {}
