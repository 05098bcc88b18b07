//go:build unix

package process

import (
	"os"
	"testing"

	"github.com/creack/pty"
)

// TestPipeIsNoTerminal has pipes answer as on macOS and the BSDs, where they have a process group like a terminal. If
// retry took one for a terminal, the command would get no group of its own and escape a timeout.
func TestPipeIsNoTerminal(t *testing.T) {
	always := func(int) bool { return true }
	never := func(int) bool { return false }
	for _, test := range []struct {
		name              string
		hasGroup, hasSize func(int) bool
		want              int
	}{
		{"pipes", always, never, -1},
		{"another session's terminal", never, always, -1},
		{"terminal", always, always, 0},
		{"terminal behind pipes", always, func(descriptor int) bool { return descriptor == 2 }, 2},
	} {
		if got := firstTerminal(test.hasGroup, test.hasSize); got.descriptor != test.want {
			t.Errorf("%s: %d, want %d", test.name, got.descriptor, test.want)
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if hasSize(int(reader.Fd())) || hasSize(int(writer.Fd())) || !hasSize(int(slave.Fd())) {
		t.Error("a pipe has a size, or a terminal has none")
	}
}
