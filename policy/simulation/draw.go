package simulation

import (
	"math"
	"math/rand/v2"
	"time"
)

// The draws of the models are made here instead of by math/rand/v2, whose ziggurats call math.Exp and math.Log. Those
// have other last bits on other processors. Every product that is added to something is converted to float64 first,
// which forbids the compiler to fuse the two.

// A stream is a client's own random numbers, 16 bytes of them.
type stream struct{ rand.PCG }

// start begins the stream of a client in a repetition.
func (s *stream) start(seed, repetition uint64, client int) {
	buildZiggurat()
	s.Seed(mix(seed^mix(repetition)), mix(uint64(client)))
}

// mix spreads neighbouring numbers over all of uint64. It is the finalizer of SplitMix64: Steele, Lea and Flood, 'Fast
// Splittable Pseudorandom Number Generators', 2014.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// exponential draws from the exponential distribution of a mean: -mean·ln U, with U in (0, 1].
func (s *stream) exponential(mean time.Duration) time.Duration {
	return round(float64(float64(mean) * -ln(s.uniform())))
}

// uniform draws from (0, 1].
func (s *stream) uniform() float64 { return float64(s.Uint64()>>11+1) * 0x1p-53 }

// gaussian draws |N(mean, sd)|.
func (s *stream) gaussian(mean, sd float64) time.Duration {
	return round(math.Abs(mean + float64(sd*s.normal(uint32(s.Uint64())))))
}

// gaussians draws the sum of two independent |N(mean, sd)|. It is [stream.normal] twice, written out for speed: this is
// where the contention model spends its time.
func (s *stream) gaussians(mean, sd float64) time.Duration {
	bits := s.Uint64()
	x, l := point(uint32(bits))
	if x <= -l.inside || x >= l.inside {
		x = s.uncertain(l, x)
	}
	y, l := point(uint32(bits >> 32))
	if y <= -l.inside || y >= l.inside {
		y = s.uncertain(l, y)
	}
	return round(math.Abs(mean+float64(sd*x)) + math.Abs(mean+float64(sd*y)))
}

// ln is the natural logarithm of a positive number, good to some 1e-16 of it, by ln m = 2 artanh((m-1)/(m+1)).
func ln(x float64) float64 {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		exponent--
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	sum := 0.0
	for _, term := range artanh {
		sum = float64(sum*z) + term
	}
	return float64(2*float64(s*sum)) + float64(float64(exponent)*math.Ln2)
}

// artanh is the series of artanh(s)/s in s², from the last term that counts where |s| is up to 0.18.
var artanh = [...]float64{1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1}

// forever is the end of virtual time, 292 years.
const forever = time.Duration(math.MaxInt64)

// round turns nanoseconds, zero or more, into a duration and saturates.
func round(nanoseconds float64) time.Duration {
	if nanoseconds >= math.MaxInt64 {
		return forever
	}
	return time.Duration(nanoseconds + 0.5)
}

// add adds two durations, neither negative, and saturates.
func add(a, b time.Duration) time.Duration {
	if a > forever-b {
		return forever
	}
	return a + b
}

// A switchboard lets one rand.Rand, which is what package policy draws from, speak for one client after the other.
type switchboard struct{ stream *stream }

func (s *switchboard) Uint64() uint64 { return s.stream.Uint64() }
