//go:build unix && !linux

package stream

import (
	"errors"
	"os"
)

func temporaryFile() (*os.File, error) { return unlinkedFile() }

// reopen fails: this system can't open a file without a name a second time.
func reopen(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }
