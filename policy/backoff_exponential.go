package policy

import "time"

// Exponential waits Base·Factor^(n-1). Base is at least zero, Factor is above zero; a Factor below 1 makes the delays
// shrink.
//
// Base 1 s and Factor 2 give 1 s, 2 s, 4 s, …; the tenth delay is 512 s and ends after 1023 s. With Factor 1.1 the 48th
// delay is 88.197 s.
type Exponential struct {
	Base   time.Duration
	Factor float64
}

func (e Exponential) Delay(n int) time.Duration {
	return scale(e.Base, power(e.Factor, n-1))
}

// power returns x^n for n ≥ 0, by squaring. It only multiplies, so unlike math.Pow it gives the same bits on every
// platform.
func power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}
