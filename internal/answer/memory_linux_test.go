package answer

import (
	"math"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"retry/internal/options"
)

// A limit on the address space counts, less what is already reserved, and so does the memory of the machine.
func TestAvailableMemory(t *testing.T) {
	free := availableMemory()
	if free <= 0 || free == math.MaxInt64 || free > freeMemory()+freeMemory()/2 {
		t.Errorf("%d bytes are available, of %d free", free, freeMemory())
	}
	const room = 300 << 20
	limited(t, room)
	if got := availableMemory(); got > room || got < room/2 {
		t.Errorf("%d bytes are available below a limit that leaves %d", got, room)
	}
}

// limited leaves the process this many bytes of address space until the test ends.
func limited(t *testing.T, room int64) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &old); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Setrlimit(unix.RLIMIT_AS, &old); err != nil {
			t.Error(err)
		}
	})
	limit := unix.Rlimit{Cur: uint64(addressSpace() + room), Max: old.Max}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
}

// A simulation with more clients than there is memory for is rejected before anything is printed or allocated.
func TestTooManyClients(t *testing.T) {
	line, err := options.Parse([]string{"--simulate", "outage:clients=10000000,duration=6h"})
	if err != nil {
		t.Fatal(err)
	}
	limited(t, 300<<20)
	var out strings.Builder
	err = Print(&out, line.Settings, func() bool { t.Error("the simulation has begun"); return true })
	if err == nil || !strings.HasPrefix(err.Error(), "--simulate: 10000000 clients take 1705 MB of memory, but only ") || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int64{"12": 12, "max": math.MaxInt64, "": math.MaxInt64, "9223372036854771712": 9223372036854771712} {
		if got := number(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
