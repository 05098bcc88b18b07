//go:build unix && !linux

package stream

import "os"

func temporaryFile() (*os.File, error) { return unlinkedFile() }
