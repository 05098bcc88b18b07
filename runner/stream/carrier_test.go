//go:build unix

package stream

import (
	"testing"
	"testing/synctest"
	"time"
)

// An attempt for which the system has no pseudo-terminal left gets pipes, and the carrier has nothing to carry.
func TestCarrierWithoutTerminal(t *testing.T) {
	relays := []*relay{
		{terminal: &terminal{real: -1, master: -1}}, {terminal: &terminal{real: -1, master: -1}},
	}
	for _, r := range relays {
		if _, err := r.terminal.open(); err != nil {
			t.Skipf("there are no pseudo-terminals here: %v", err)
		}
		defer r.terminal.close()
	}
	carriers, err := newCarriers(relays)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range carriers {
		if !c.prepare() {
			t.Error("a carrier with a terminal has nothing to carry")
		}
	}
	for _, r := range relays {
		r.terminal.close()
		r.terminal = nil
	}
	for _, c := range carriers {
		c.abandon() // as when there is no pipe either
		if c.prepare() {
			t.Error("a carrier without a terminal has something to carry")
		}
	}
}

// Only outputs that are terminals need a carrier.
func TestCarriersOfTerminals(t *testing.T) {
	carried := &relay{terminal: &terminal{real: -1, master: -1}}
	carriers, err := newCarriers([]*relay{{}, carried})
	s := &Streams{carriers: carriers}
	t.Cleanup(func() { release(s) })
	if err != nil || len(carriers) != 1 || len(carriers[0].relays) != 1 || carriers[0].relays[0] != carried {
		t.Errorf("%v, %v", carriers, err)
	}
}

// AwaitQuiet returns once none of the terminals has been read for 20 ms, and after a second even if they never stop.
func TestAwaitQuietTakes(t *testing.T) {
	for _, test := range []struct {
		name  string
		reads int // 20 ms apart, the first after 10 ms
		want  time.Duration
	}{
		{"quiet", 0, 20 * time.Millisecond}, {"two", 2, 60 * time.Millisecond}, {"endless", 50, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &Streams{carriers: []*carrier{{}, {}}}
			for _, c := range s.carriers {
				if err := c.watcher.open(); err != nil {
					t.Fatal(err)
				}
			}
			s.carriers[0].carried.Store(1) // by an earlier attempt
			go func() {
				for i := range test.reads {
					time.Sleep(time.Duration(10+10*min(i, 1)) * time.Millisecond)
					s.carriers[0].carried.Add(1)
				}
			}()
			began := time.Now()
			if s.AwaitQuiet(); time.Since(began) != test.want {
				t.Errorf("%s: it took %v, want %v", test.name, time.Since(began), test.want)
			}
		})
	}
}
