//go:build unix

package console

import (
	"bytes"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Everything is written to a descriptor that another process has made non-blocking, however slow its reader is.
func TestDescriptorWaits(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	descriptor := int(writer.Fd())
	if err := unix.SetNonblock(descriptor, true); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	go func() {
		defer writer.Close()
		if n, err := Descriptor(descriptor).Write(text); n != len(text) || err != nil {
			t.Errorf("wrote %d bytes of %d, %v", n, len(text), err)
		}
	}()
	if got, err := io.ReadAll(reader); !bytes.Equal(got, text) || err != nil {
		t.Errorf("read %d bytes of %d, %v", len(got), len(text), err)
	}
}

// Writing without a reader returns an error and doesn't end the process.
func TestDescriptorWithoutReader(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader.Close()
	if n, err := Descriptor(writer.Fd()).Write([]byte("text")); n != 0 || err != unix.EPIPE {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
}
