package review

import "math"

// A Histogram counts values by size, in memory that does not grow with their number. The width of a bin is at most 1/64 of its
// values, so a quantile is at most 0.8 % off, and whole numbers up to 128 have bins of their own. Values below 2^-10 are counted
// as 0. This is the layout of HdrHistogram with 64 sub-buckets. The zero value is empty.
type Histogram struct {
	counts []float64 // of the bins, beginning with first
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

// bin returns the bin of a value, which must not be negative.
func bin(value float64) int {
	return min(max(0, int(math.Float64bits(value)>>binShift)-leastBin+1), bins-1)
}

// edge returns the lowest value of a bin, which is the end of the previous bin.
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

// Count returns the number of values.
func (h *Histogram) Count() float64 { return h.total }

// Most returns the greatest value, exactly.
func (h *Histogram) Most() float64 { return h.most }

// Quantile returns the value that the given share of all values does not exceed: the middle of its bin. It returns 0 if there
// are no values.
func (h *Histogram) Quantile(part float64) float64 {
	b, ok := h.rank(part)
	if !ok || b == 0 {
		return 0
	}
	return min((edge(b)+edge(b+1))/2, h.most)
}

// Whole returns a quantile of whole numbers.
func (h *Histogram) Whole(part float64) int {
	b, _ := h.rank(part)
	return int(edge(b))
}

// rank returns the bin of a quantile.
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

// at returns the number of values in a bin.
func (h *Histogram) at(bin int) float64 {
	if i := bin - h.first; i >= 0 && i < len(h.counts) {
		return h.counts[i]
	}
	return 0
}

// end returns the bin after the last one.
func (h *Histogram) end() int { return h.first + len(h.counts) }

// firstOr returns the first bin, or another one if there is none.
func (h *Histogram) firstOr(other int) int {
	if len(h.counts) == 0 {
		return other
	}
	return h.first
}
