package policy

import (
	"math/rand/v2"
	"time"
)

// FitDeadline shortens a sleep so that an attempt as long as the last one still fits after it. room is the time until
// the deadline less that attempt. A sleep that is too long is drawn anew from the second half of the room, so that a
// crowd does not arrive together, or is the whole room where nothing is random. ok is false where there is no room.
func FitDeadline(sleep, room time.Duration, jittered bool, rng *rand.Rand) (fitted time.Duration, ok bool) {
	switch {
	case room <= 0:
		return 0, false
	case sleep <= room:
		return sleep, true
	case jittered:
		return uniform(room/2, room, rng), true
	}
	return room, true
}

// Stagger is the wait before the first attempt, uniform in [0, most).
func Stagger(most time.Duration, rng *rand.Rand) time.Duration { return uniform(0, most, rng) }
