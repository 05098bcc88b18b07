package review

import "math"

// A Histogram counts values by size, in memory that does not grow with their number. A bin is at most 1/64 of its values
// wide, so that a quantile is at most 0.8 % off, and whole numbers up to 128 have bins of their own. What is
// below 2^-10 is counted as 0. This is the layout of HdrHistogram with 64 sub-buckets. The zero value is empty.
type Histogram struct {
	counts []float64 // of the bins from first on
	first  int
	total  float64
	most   float64
}

const (
	subBits  = 6 // 2^6 bins between a power of two and the next
	leastLog = -10
	mostLog  = 33 // seconds in 272 years
	binShift = 52 - subBits
	bins     = (mostLog-leastLog)<<subBits + 1
)

var leastBin = int(math.Float64bits(math.Ldexp(1, leastLog)) >> binShift)

// bin is where a value of at least 0 is counted.
func bin(value float64) int {
	return min(max(0, int(math.Float64bits(value)>>binShift)-leastBin+1), bins-1)
}

// edge is the least value of a bin, which ends where the next begins.
func edge(bin int) float64 {
	if bin <= 0 {
		return 0
	}
	return math.Float64frombits(uint64(bin-1+leastBin) << binShift)
}

// Add counts one value.
func (h *Histogram) Add(value float64) {
	value = max(0, value)
	h.most = max(h.most, value)
	h.add(bin(value), 1)
}

func (h *Histogram) add(bin int, part float64) {
	if len(h.counts) == 0 {
		h.first = bin
	}
	if before := h.first - bin; before > 0 {
		h.counts = append(make([]float64, before, before+len(h.counts)), h.counts...)
		h.first = bin
	}
	for bin >= h.first+len(h.counts) {
		h.counts = append(h.counts, 0)
	}
	h.counts[bin-h.first] += part
	h.total += part
}

// Count is how many values there are.
func (h *Histogram) Count() float64 { return h.total }

// Most is the greatest value, exactly.
func (h *Histogram) Most() float64 { return h.most }

// Quantile is the value that the given part of all values does not exceed, or the middle of its bin. It is 0 where there
// are none.
func (h *Histogram) Quantile(part float64) float64 {
	b, ok := h.rank(part)
	if !ok || b == 0 {
		return 0
	}
	return min((edge(b)+edge(b+1))/2, h.most)
}

// Whole is the quantile of whole numbers.
func (h *Histogram) Whole(part float64) int {
	b, _ := h.rank(part)
	return int(edge(b))
}

// rank is the bin of a quantile.
func (h *Histogram) rank(part float64) (bin int, ok bool) {
	const rounding = 1e-9
	sum := 0.0
	for i, n := range h.counts {
		if sum += n; n > 0 && sum >= (part-rounding)*h.total {
			return h.first + i, true
		}
	}
	return 0, false
}

// at is how many values a bin has.
func (h *Histogram) at(bin int) float64 {
	if i := bin - h.first; i >= 0 && i < len(h.counts) {
		return h.counts[i]
	}
	return 0
}

// end is the bin after the last.
func (h *Histogram) end() int { return h.first + len(h.counts) }

// firstOr is the first bin, or another where there is none.
func (h *Histogram) firstOr(other int) int {
	if len(h.counts) == 0 {
		return other
	}
	return h.first
}
