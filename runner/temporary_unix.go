//go:build unix && !linux

package runner

import "os"

func temporaryFile() (*os.File, error) { return unlinkedFile() }
