package console

import "os"

// Descriptor writes to one of the standard streams.
type Descriptor int

func (d Descriptor) Write(data []byte) (int, error) {
	return []*os.File{os.Stdin, os.Stdout, os.Stderr}[d].Write(data)
}
