//go:build unix

package stream

import "os"

// unlinkedFile creates a temporary file that only this user may read, and removes its name.
func unlinkedFile() (*os.File, error) {
	file, err := os.CreateTemp("", "retry-*")
	if err == nil {
		_ = os.Remove(file.Name())
	}
	return file, err
}
