package review

// Outages are how long outages lasted, by the bins of a [Histogram]. The zero value is none.
//
// A call sees only between which of its attempts an outage ended. So what is counted are intervals, of which there are at
// most as many as pairs of bins; a year of one label's calls makes some thousands.
type Outages struct {
	ended    map[interval]int
	count    int       // that ended
	censored Histogram // for how long the others were seen
	most     float64   // the end of the last interval
}

// interval is its first bin and its last.
type interval struct{ low, high int16 }

// Between counts an outage that ended after the one time and not after the other, in seconds.
func (o *Outages) Between(low, high float64) {
	if o.ended == nil {
		o.ended = map[interval]int{}
	}
	first, last := bin(max(0, low)), bin(max(0, low, high))
	if first < last {
		first++ // else two intervals in a row would share a bin, and its part would look likelier than it is
	}
	o.ended[interval{int16(first), int16(last)}]++
	o.count++
	o.most = max(o.most, low, high)
}

// Beyond counts an outage whose call gave up before the end, and that lasted longer than a time.
func (o *Outages) Beyond(low float64) { o.censored.Add(low) }

// rounds is how often the ends are spread anew. In the limit this finds the likeliest curve, which climbs in steps where the
// attempts of a few calls happened to be; a few rounds leave it smooth.
const rounds = 3

// spread is how many outages ended in each bin from first on, in parts: each is spread over its interval as the others say it
// is likely. It begins with equal parts for equal lengths.
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

// shares spreads every outage over its interval in the given proportions. The sum over an interval is a difference of two sums
// from the beginning, and what each interval adds to its bins is noted where it begins and where it ends.
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

// bins are the first and the last with an end or a loss.
func (o *Outages) bins() (first, last int) {
	first, last = o.censored.firstOr(bins-1), max(0, o.censored.end()-1)
	for in := range o.ended {
		first, last = min(first, int(in.low)), max(last, int(in.high))
	}
	return min(first, last), last
}
