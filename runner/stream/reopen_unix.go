//go:build unix && !linux

package stream

import (
	"errors"
	"os"
)

// reopen is for systems where a file without a name can be opened again. On these it can't be.
func reopen(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }
