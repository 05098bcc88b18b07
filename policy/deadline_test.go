package policy

import (
	"testing"
	"time"
)

func TestFitDeadline(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name        string
		sleep, room time.Duration
		jittered    bool
		want        time.Duration
		ok          bool
	}{
		{"fits", 3 * s, 5 * s, true, 3 * s, true},
		{"fits exactly", 5 * s, 5 * s, true, 5 * s, true},
		{"no sleep fits", 0, 1, true, 0, true},
		{"too long, without jitter the whole room", 5*s + 1, 5 * s, false, 5 * s, true},
		{"too long, shortest room", 2, 1, true, 0, true},
		{"no room", 3 * s, 0, true, 0, false},
		{"no room, no sleep", 0, 0, true, 0, false},
		{"no room without jitter", 3 * s, 0, false, 0, false},
		{"overdue", 3 * s, -s, true, 0, false},
		{"overdue without jitter", 3 * s, -s, false, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := FitDeadline(test.sleep, test.room, test.jittered, NewRand(1, DeadlineStream))
			if got != test.want || ok != test.ok {
				t.Errorf("got %v, %v, want %v, %v", got, ok, test.want, test.ok)
			}
		})
	}
}

// A sleep that is drawn again is in the second half of the room, with a mean of three quarters.
func TestFitDeadlineDistribution(t *testing.T) {
	rng := NewRand(1, DeadlineStream)
	uniformOn(4, 8).check(t, func() time.Duration {
		sleep, _ := FitDeadline(time.Minute, 8*time.Second, true, rng)
		return sleep
	})
}

// A sleep that fits must not use up a draw: otherwise a distant deadline would affect later draws.
func TestFitDeadlineDrawsOnlyWhatItNeeds(t *testing.T) {
	rng := NewRand(1, DeadlineStream)
	FitDeadline(time.Second, time.Minute, true, rng)
	FitDeadline(time.Hour, time.Minute, false, rng)
	FitDeadline(time.Hour, 0, true, rng)
	if got, want := rng.Uint64(), NewRand(1, DeadlineStream).Uint64(); got != want {
		t.Error("a sleep was drawn where none was needed")
	}
}

func TestStagger(t *testing.T) {
	rng := NewRand(1, StaggerStream)
	uniformOn(0, 8).check(t, func() time.Duration { return Stagger(8*time.Second, rng) })
	for range 100 {
		for _, most := range []time.Duration{0, 1} {
			if got := Stagger(most, rng); got != 0 {
				t.Fatalf("Stagger(%v) = %v, want 0", most, got)
			}
		}
		if got := Stagger(2, rng); got < 0 || got >= 2 {
			t.Fatalf("Stagger(2ns) = %v", got)
		}
	}
}
