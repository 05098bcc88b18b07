package review

import (
	"math"
	"sort"
)

// A Curve is the share of outages that last longer than a time, by the product-limit estimator: E. L. Kaplan and P. Meier,
// 'Nonparametric estimation from incomplete observations', 1958. An outage whose call gave up counts for as long as it was
// observed.
//
// At each time, its band contains the true share with a probability of 95 %, by Greenwood's formula for the variance, 1926, on
// the scale of log(-log S), where it can't leave the range from 0 to 1 (J. D. Kalbfleisch and R. L. Prentice, 1980).
type Curve struct {
	Points   []Point
	Ended    int     // outages whose end was seen
	Censored int     // outages whose end was not seen
	Known    float64 // seconds; nothing is known about longer outages

	area []float64 // under the share that has ended, from 0 to the end of each point
}

// A Point is one or more bins, with at least half an end in them.
type Point struct {
	From, To        float64 // seconds
	AtRisk          float64 // outages that lasted until From and were still observed then
	Ended           float64 // how many of them ended between From and To, in fractions if that is not known exactly
	Survival        float64 // the share of all outages that last longer than To
	Variance        float64 // of Survival, by Greenwood's formula
	Lowest, Highest float64 // the bounds of the band
}

// normal95 is the quantile of the normal distribution for a band of 95 %.
const normal95 = 1.959964

// Curve estimates the curve from the outages.
func (o *Outages) Curve() *Curve {
	c := &Curve{Ended: o.count, Censored: int(o.censored.total), Known: max(o.most, o.censored.most)}
	ends, first := o.spread()
	atRisk := float64(o.count) + o.censored.total
	least := max(0.5, float64(o.count)/1000) // for less than half an outage, the band would mean nothing
	survival, greenwood, sum := 1.0, 0.0, Point{}
	for i, ended := range ends {
		b := first + i
		if ended > rounding {
			survival *= max(0, 1-ended/atRisk)
			if left := atRisk - ended; left > rounding {
				greenwood += ended / (atRisk * left)
			} else {
				survival = 0
			}
			if sum.Ended == 0 {
				sum.From, sum.AtRisk = edge(b), atRisk
			}
			sum.To, sum.Ended = edge(b+1), sum.Ended+ended
		}
		if sum.Ended >= least-rounding || sum.Ended > 0 && i == len(ends)-1 {
			c.Points = append(c.Points, sum.estimate(survival, greenwood))
			c.Known = max(c.Known, sum.To) // by less than a bin
			sum = Point{}
		}
		atRisk -= ended + o.censored.at(b)
	}
	c.integrate()
	return c
}

// rounding is the error that sums of fractions may have.
const rounding = 1e-9

// estimate sets the estimate at the end of the point, and its band.
func (p Point) estimate(survival, greenwood float64) Point {
	p.Survival, p.Variance, p.Highest = survival, survival*survival*greenwood, 1
	if survival > 0 && survival < 1 {
		width := normal95 * math.Sqrt(greenwood) / math.Abs(math.Log(survival))
		p.Lowest = math.Pow(survival, math.Exp(width))
		p.Highest = math.Pow(survival, math.Exp(-width))
	}
	return p
}

// integrate prepares Area.
func (c *Curve) integrate() {
	area, before := 0.0, Point{Survival: 1}
	for _, p := range c.Points {
		area += (p.From - before.To) * (1 - before.Survival)
		area += (p.To - p.From) * (1 - (before.Survival+p.Survival)/2)
		c.area = append(c.area, area)
		before = p
	}
}

// at returns the index of the last point that begins before a time, or -1, and the survival before that point.
func (c *Curve) at(seconds float64) (i int, before float64) {
	i = sort.Search(len(c.Points), func(i int) bool { return c.Points[i].From >= seconds }) - 1
	if i > 0 {
		return i, c.Points[i-1].Survival
	}
	return i, 1
}

// Outlived returns the share of outages that have ended after a time. Within a bin it grows linearly.
func (c *Curve) Outlived(seconds float64) float64 {
	i, before := c.at(seconds)
	if i < 0 {
		return 0
	}
	p := c.Points[i]
	part := min(1, (seconds-p.From)/(p.To-p.From))
	return 1 - before - part*(p.Survival-before)
}

// Area returns the integral of Outlived from 0 to a time.
func (c *Curve) Area(seconds float64) float64 {
	i, before := c.at(seconds)
	if i < 0 {
		return 0
	}
	p, sum := c.Points[i], 0.0
	if i > 0 {
		sum = c.area[i-1] + (p.From-c.Points[i-1].To)*(1-before)
	}
	within := min(seconds, p.To) - p.From
	sum += within * ((1 - before) + c.Outlived(p.From+within)) / 2
	return sum + max(0, seconds-p.To)*(1-p.Survival)
}

// Band returns the band of Outlived.
func (c *Curve) Band(seconds float64) (low, high float64) {
	i, _ := c.at(seconds)
	if i < 0 {
		return 0, 0
	}
	return 1 - c.Points[i].Highest, 1 - c.Points[i].Lowest
}

// Quantile returns the time by which the given share of outages has ended. ok is false if the data can't tell.
func (c *Curve) Quantile(part float64) (seconds float64, ok bool) {
	before := 1.0
	for _, p := range c.Points {
		if 1-p.Survival >= part-rounding {
			within := 1.0
			if before > p.Survival {
				within = (before - (1 - part)) / (before - p.Survival)
			}
			return p.From + min(1, max(0, within))*(p.To-p.From), true
		}
		before = p.Survival
	}
	return 0, false
}
