package review

// Outages counts how long outages lasted, by the bins of a [Histogram]. The zero value is empty.
//
// A call only sees between which of its attempts an outage ended, so intervals are counted. There are at most as many of them as
// pairs of bins; a year of one label's calls has a few thousand.
type Outages struct {
	ended    map[interval]int
	count    int       // outages that ended
	censored Histogram // for how long the others were observed
	most     float64   // the end of the last interval
}

// interval is a range of bins, from the first to the last.
type interval struct{ low, high int16 }

// Between counts an outage that ended between two times, in seconds.
func (o *Outages) Between(low, high float64) {
	if o.ended == nil {
		o.ended = map[interval]int{}
	}
	first, last := bin(max(0, low)), bin(max(0, low, high))
	if first < last {
		first++ // otherwise two consecutive intervals would share a bin, and its share would look too likely
	}
	o.ended[interval{int16(first), int16(last)}]++
	o.count++
	o.most = max(o.most, low, high)
}

// Beyond counts an outage that lasted longer than a time, because its call gave up before the end.
func (o *Outages) Beyond(low float64) { o.censored.Add(low) }

// rounds is how often the ends are redistributed. In the limit, this would give the curve of maximum likelihood, which rises in
// steps at the times of a few calls' attempts; after a few rounds the curve is still smooth.
const rounds = 3

// spread returns how many outages ended in each bin, beginning with first, in fractions: the end of each outage is distributed
// over its interval according to the estimate from the others. The first estimate is uniform in time.
//
// Source: B. W. Turnbull, 'The empirical distribution function with arbitrarily grouped, censored and truncated data', 1976.
func (o *Outages) spread() (ends []float64, first int) {
	first, last := o.bins()
	likely := make([]float64, last-first+1)
	for i := range likely {
		likely[i] = edge(first+i+1) - edge(first+i)
	}
	for range rounds {
		ends = o.shares(likely, first)
		survival, atRisk := 1.0, float64(o.count)+o.censored.total
		for i := range likely {
			lost := o.censored.at(first + i)
			left := survival
			if atRisk > rounding {
				left *= max(0, 1-ends[i]/atRisk)
			}
			likely[i], survival = survival-left, left
			atRisk -= ends[i] + lost
		}
	}
	return ends, first
}

// shares distributes every outage over its interval in the given proportions. The sum over an interval is the difference of two
// cumulative sums, and what an interval adds to its bins is recorded where it begins and where it ends.
func (o *Outages) shares(likely []float64, first int) []float64 {
	sums := make([]float64, len(likely)+1)
	for i, l := range likely {
		sums[i+1] = sums[i] + l
	}
	steps := make([]float64, len(likely)+1)
	ends := make([]float64, len(likely))
	for in, n := range o.ended {
		low, high := int(in.low)-first, int(in.high)-first+1
		if sum := sums[high] - sums[low]; sum > 1e-12*sums[len(likely)] {
			steps[low] += float64(n) / sum
			steps[high] -= float64(n) / sum
		} else {
			ends[high-1] += float64(n)
		}
	}
	rate := 0.0
	for i := range ends {
		rate += steps[i]
		ends[i] += max(0, rate) * likely[i]
	}
	return ends
}

// bins returns the first and the last bin in which an outage ended or was lost sight of.
func (o *Outages) bins() (first, last int) {
	first, last = o.censored.firstOr(bins-1), max(0, o.censored.end()-1)
	for in := range o.ended {
		first, last = min(first, int(in.low)), max(last, int(in.high))
	}
	return min(first, last), last
}
