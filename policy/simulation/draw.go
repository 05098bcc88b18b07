package simulation

import (
	"math"
	"math/rand/v2"
	"time"
)

// A stream is a client's own stream of random numbers, with 16 bytes of state.
type stream struct{ rand.PCG }

// start begins the stream of a client in a repetition.
func (s *stream) start(seed, repetition uint64, client int) {
	s.Seed(mix(seed^mix(repetition)), mix(uint64(client)))
}

// mix spreads neighbouring numbers over the whole range of uint64. It is the finalizer of SplitMix64: Steele, Lea and Flood, 'Fast
// Splittable Pseudorandom Number Generators', 2014.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A switchboard lets one rand.Rand, the type that package policy draws from, draw for one client after the other.
type switchboard struct{ *stream }

// exponential draws from the exponential distribution with a mean.
func exponential(rng *rand.Rand, mean time.Duration) time.Duration {
	return round(float64(mean) * rng.ExpFloat64())
}

// gaussian draws |N(mean, sd)|, in nanoseconds.
func gaussian(rng *rand.Rand, mean, sd float64) time.Duration {
	return round(math.Abs(mean + sd*rng.NormFloat64()))
}

// forever is the end of virtual time, 292 years.
const forever = time.Duration(math.MaxInt64)

// round converts nanoseconds, zero or more, to a duration, and saturates.
func round(nanoseconds float64) time.Duration {
	if nanoseconds >= math.MaxInt64 {
		return forever
	}
	return time.Duration(nanoseconds + 0.5)
}

// add adds two durations, neither negative, and saturates.
func add(a, b time.Duration) time.Duration { return a + min(b, forever-a) }
