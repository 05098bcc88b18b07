package policy

import (
	"math/rand/v2"
	"time"
)

// FitDeadline shortens a sleep so that an attempt as long as the last one still fits before the deadline. room is the
// time until the deadline less the duration of that attempt. A sleep that is too long is drawn again from the second half
// of the room, so that clients don't all return at once; without jitter it becomes the whole room. ok is false if there
// is no room.
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

// Stagger draws the wait before the first attempt, uniformly from [0, most).
func Stagger(most time.Duration, rng *rand.Rand) time.Duration { return uniform(0, most, rng) }
