//go:build unix && !linux

package stream

import (
	"errors"
	"os"
)

func temporaryFile() (*os.File, error) { return unlinkedFile() }

// reopen fails: these systems can't open a file without a name.
func reopen(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }
