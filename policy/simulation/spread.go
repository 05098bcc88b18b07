package simulation

import "math"

// Spread is a mean and the standard deviation around it.
type Spread struct {
	Mean float64
	SD   float64 // with n-1 degrees of freedom; 0 for a single number
}

// A sample accumulates the mean and the variance of numbers without storing them.
//
// Source: Welford, 'Note on a Method for Calculating Corrected Sums of Squares and Products', 1962.
type sample struct {
	n             int
	mean, squares float64
}

func (s *sample) add(x float64) {
	s.n++
	off := x - s.mean
	s.mean += off / float64(s.n)
	s.squares += off * (x - s.mean)
}

func (s *sample) spread() Spread {
	if s.n < 2 {
		return Spread{Mean: s.mean}
	}
	return Spread{s.mean, math.Sqrt(s.squares / float64(s.n-1))}
}
