package answer

import (
	"math"
	"testing"

	"retry/policy/simulation"
)

func TestFits(t *testing.T) {
	o, err := simulation.ParseOutage("clients=1000000")
	if err != nil {
		t.Fatal(err)
	}
	for _, available := range []int64{o.Memory(), math.MaxInt64, availableMemory()} {
		if err := fits(o, available); err != nil {
			t.Errorf("with %d bytes: %v", available, err)
		}
	}
	const want = "--simulate: 1000000 clients take 137 MB of memory, but only 99 MB are available"
	if err := fits(o, 99_999_999); err == nil || err.Error() != want {
		t.Errorf("with 100 MB: %v", err)
	}
	if err := fits(o, o.Memory()-1); err == nil {
		t.Error("a byte less than it takes is enough")
	}
	if err := fits(o, -5); err == nil {
		t.Error("less than nothing is enough")
	}
}
