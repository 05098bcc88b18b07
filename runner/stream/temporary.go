//go:build unix

package stream

import "os"

// unlinkedFile opens a temporary file, which only this user may read, and takes its name away.
func unlinkedFile() (*os.File, error) {
	file, err := os.CreateTemp("", "retry-*")
	if err == nil {
		_ = os.Remove(file.Name())
	}
	return file, err
}
