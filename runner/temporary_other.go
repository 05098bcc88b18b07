//go:build !linux

package runner

import "os"

func temporaryFile() (*os.File, error) { return unlinkedFile() }
