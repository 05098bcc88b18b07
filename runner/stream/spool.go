package stream

import (
	"io"
	"os"
)

// spoolMemory is how many bytes a spool keeps in memory before it uses a file. It is the usual capacity of a pipe.
const spoolMemory = 64 << 10

// A spool stores a stream: the first spoolMemory bytes in memory, and a longer one in a temporary file, which no other
// user can read and which doesn't outlive retry.
type spool struct {
	memory []byte
	file   *os.File
	size   int64
}

// Write appends data.
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

// ReadAt reads from any offset. Unlike an io.ReaderAt, it may return fewer bytes than asked for without an error.
func (s *spool) ReadAt(data []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(data, offset)
	}
	if offset >= int64(len(s.memory)) {
		return 0, io.EOF
	}
	return copy(data, s.memory[offset:]), nil
}

// end returns the last byte, or nothing if the spool is empty.
func (s *spool) end() []byte {
	if s.size == 0 {
		return nil
	}
	last := make([]byte, 1)
	n, _ := s.ReadAt(last, s.size-1)
	return last[:n]
}

// moveTo writes everything to out and empties the spool.
func (s *spool) moveTo(out io.Writer) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(s, 0, s.size), make([]byte, spoolMemory))
	s.clear()
	return err
}

// clear empties the spool and closes its file.
func (s *spool) clear() {
	if s.file != nil {
		s.file.Close()
	}
	*s = spool{memory: s.memory[:0]}
}
