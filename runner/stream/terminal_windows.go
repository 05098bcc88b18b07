package stream

import (
	"errors"
	"os"

	"retry/runner"
)

// terminal is never made: on Windows, a stream that retry carries is a pipe.
type terminal struct{ wanted bool }

func newTerminal(runner.TTY, int, bool) *terminal { return nil }

func (*terminal) open() (*os.File, error) { return nil, errors.ErrUnsupported }
func (*terminal) close()                  {}

type carrier struct{}

func newCarriers([]*relay) ([]*carrier, error) { return nil, nil }

func (*carrier) prepare() bool { return false }
func (*carrier) run()          {}
func (*carrier) hurry()        {}
func (*carrier) settle()       {}
func (*carrier) abandon()      {}
