//go:build unix

package stream

import "testing"

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
		if c.prepare() {
			t.Error("a carrier without a terminal has something to carry")
		}
	}
}
