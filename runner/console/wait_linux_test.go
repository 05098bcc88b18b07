package console

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A write that waits for a slow reader doesn't keep the processor awake: its thread sleeps until there is room.
func TestDescriptorSleeps(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	descriptor := int(writer.Fd())
	if err := unix.SetNonblock(descriptor, true); err != nil {
		t.Fatal(err)
	}
	thread, written := make(chan int), make(chan error)
	go func() {
		runtime.LockOSThread()
		thread <- unix.Gettid()
		_, err := Descriptor(descriptor).Write(make([]byte, 1<<20))
		written <- err
	}()
	status := fmt.Sprintf("/proc/self/task/%d/status", <-thread)
	switches := func() string {
		text, err := os.ReadFile(status)
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`(?m)^voluntary_ctxt_switches:.*`).FindString(string(text))
	}
	asleep := false
	for range 100 {
		before := switches()
		time.Sleep(20 * time.Millisecond)
		if asleep = switches() == before; asleep {
			break
		}
	}
	if !asleep {
		t.Error("it wakes up again and again")
	}
	reader.Close()
	if err := <-written; err != unix.EPIPE {
		t.Errorf("got %v", err)
	}
}
