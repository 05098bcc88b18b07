package stream

import (
	"io"
	"os"
)

// spoolMemory is how much a spool keeps before it takes a file. It fits a pipe.
const spoolMemory = 64 << 10

// spool keeps a stream: a little of it in memory, more in a temporary file that has no name and is nobody else's.
type spool struct {
	memory []byte
	file   *os.File
	size   int64
}

// Write adds to the end.
func (s *spool) Write(data []byte) (int, error) {
	if s.file == nil && len(s.memory)+len(data) <= spoolMemory {
		s.memory = append(s.memory, data...)
		s.size += int64(len(data))
		return len(data), nil
	}
	if s.file == nil {
		file, err := temporaryFile()
		if err != nil {
			return 0, err
		}
		if _, err := file.Write(s.memory); err != nil {
			file.Close()
			return 0, err
		}
		s.file, s.memory = file, nil
	}
	n, err := s.file.WriteAt(data, s.size)
	s.size += int64(n)
	return n, err
}

// ReadAt reads from anywhere.
func (s *spool) ReadAt(data []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(data, offset)
	}
	if offset >= int64(len(s.memory)) {
		return 0, io.EOF
	}
	return copy(data, s.memory[offset:]), nil
}

// moveTo writes everything out and leaves the spool empty.
func (s *spool) moveTo(out io.Writer) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(s, 0, s.size), make([]byte, spoolMemory))
	s.clear()
	return err
}

// clear empties the spool and gives its file back.
func (s *spool) clear() {
	if s.file != nil {
		s.file.Close()
	}
	*s = spool{memory: s.memory[:0]}
}
