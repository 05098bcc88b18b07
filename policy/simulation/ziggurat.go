package simulation

import (
	"math"
	"sync"
)

// The ziggurat covers half the bell curve f(x) = exp(-x²/2) by layers of the same area: boxes of width edge[i] and
// height f(edge[i+1]) - f(edge[i]), and a lowest one that has the tail beyond edge[1] too. A point of a random layer is
// under the curve, without computing f, wherever it is left of the next layer's edge: 99 times in 100.
//
// Source: Marsaglia and Tsang, 'The Ziggurat Method for Generating Random Variables', 2000, with the constants. The
// layer and the place in it come from different bits, as Doornik asks, 'An Improved Ziggurat Method to Generate Normal
// Random Samples', 2005.
const (
	layers   = 256
	tail     = 3.6541528853610088    // where the lowest layer becomes the tail
	area     = 4.92867323399e-3      // of a layer
	tailTop  = 1.2602859304985978e-3 // f(tail)
	fraction = 23                    // bits of a place in a layer
)

// A layer reaches to its edge; up to inside, the edge of the layer above it, all of it is under the curve. Its floor
// and ceiling are heights of the curve.
type layer struct {
	unit           float64 // edge / 2^23
	inside         float64
	floor, ceiling float64
}

// ziggurat has the lowest layer first.
var ziggurat [layers]layer

// buildZiggurat is left until a stream starts: most calls of retry simulate nothing.
var buildZiggurat = sync.OnceFunc(func() {
	edge, floor := area/tailTop, 0.0
	inside, ceiling := tail, tailTop
	for i := range ziggurat {
		ziggurat[i] = layer{edge / (1 << fraction), inside, floor, ceiling}
		edge, floor = inside, ceiling
		ceiling += area / edge
		inside = math.Sqrt(-2 * ln(ceiling))
	}
	ziggurat[layers-1].inside, ziggurat[layers-1].ceiling = 0, 1
})

// normal draws from N(0, 1), with the help of 32 random bits: 8 for the layer, 1 for the sign, 23 for the place in it.
func (s *stream) normal(bits uint32) float64 {
	x, l := point(bits)
	if -l.inside < x && x < l.inside {
		return x
	}
	return s.uncertain(l, x)
}

// point is a random point of a random layer.
func point(bits uint32) (x float64, l *layer) {
	l = &ziggurat[bits%layers]
	return float64(int32(bits)>>(31-fraction)) * l.unit, l
}

// uncertain settles the case of a point that may be outside the curve, if need be with further points.
func (s *stream) uncertain(l *layer, x float64) float64 {
	if l.floor == 0 {
		return math.Copysign(s.beyond(), x)
	}
	y := l.floor + float64(s.uniform()*(l.ceiling-l.floor))
	if float64(-2*ln(y)) > float64(x*x) {
		return x
	}
	return s.normal(uint32(s.Uint64() >> 32))
}

// beyond draws from the tail, by Marsaglia's method.
func (s *stream) beyond() float64 {
	for {
		x := -ln(s.uniform()) / tail
		y := -ln(s.uniform())
		if y+y > float64(x*x) {
			return tail + x
		}
	}
}
