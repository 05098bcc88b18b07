package review

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Findings are the results for a group: how its calls ended, how long outages lasted, and what schedules would have done.
type Findings struct {
	*Group
	Curve    *Curve
	Observed Prediction // what happened; its band and its reach are unknown
	Laid     []Laid     // the schedules that were applied to the curve
	Least    []Least    // the limits needed to outlive shares of the outages
	By       string     // the schedule that Least is for, without limits
}

// A Candidate is a proposal and its name.
type Candidate struct {
	Name  string
	Short string // the name without limits
	Proposal
}

// Laid is a candidate and what it would have done.
type Laid struct {
	Candidate
	Prediction
	Starts []float64 // seconds at which its attempts start, on average
}

// Least is the shortest deadline without a limit on attempts, and the smallest number of attempts without a deadline, that
// outlive a share of the outages. A value is 0 if the data can't tell.
type Least struct {
	Part     float64
	Deadline time.Duration
	Attempts int
}

// outlive lists the shares of the outages for which advice is given.
var outlive = []float64{0.95, 0.99}

// Find applies candidates to the group's outages. Advice is given for the last one.
func (g *Group) Find(candidates []Candidate) *Findings {
	f := &Findings{Group: g, Curve: g.Outages.Curve(), Observed: g.observed()}
	if f.Curve.Ended == 0 {
		return f
	}
	for i := range candidates {
		c := candidates[i]
		c.Attempt = g.meanFailure()
		f.Laid = append(f.Laid, Laid{c, f.Curve.Predict(c.Proposal), c.starts()})
	}
	last := f.Laid[len(f.Laid)-1]
	f.By = last.Short
	for _, part := range outlive {
		least := Least{Part: part}
		least.Deadline, _ = f.Curve.LeastDeadline(last.Proposal, part)
		least.Attempts, _ = f.Curve.LeastAttempts(last.Proposal, part)
		f.Least = append(f.Least, least)
	}
	return f
}

// meanFailure returns the mean duration of a failed attempt. It is at least a millisecond, about the time to start a command.
func (g *Group) meanFailure() time.Duration {
	return max(time.Millisecond, duration(g.FailedTime/float64(max(1, g.FailedAttempts))))
}

// observed returns what happened in the outages.
func (g *Group) observed() (p Prediction) {
	ended, all := float64(g.Outages.count), float64(g.Outages.count)+g.Outages.censored.total
	if ended > 0 {
		p.Outlived, p.Late = ended/all, g.Late/ended
	}
	if all > 0 {
		p.Attempts = float64(g.OutageAttempts) / all
	}
	return p
}

// Used returns the schedule, as options, of most of the calls with a failure, or "" if no line has one.
func (g *Group) Used() string {
	used := slices.SortedFunc(maps.Keys(g.Schedules), func(a, b string) int {
		return cmp.Or(cmp.Compare(g.Schedules[b], g.Schedules[a]), cmp.Compare(a, b))
	})
	for _, schedule := range used {
		if schedule != Other && schedule != "" {
			return schedule
		}
	}
	return ""
}

// Commonest returns the reasons of failure, starting with those of the most calls.
func (g *Group) Commonest() []string {
	return slices.SortedFunc(maps.Keys(g.Reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(g.Reasons[b].Calls, g.Reasons[a].Calls), cmp.Compare(a, b))
	})
}

// Labels returns the groups, starting with those with the most failed calls.
func (r *Review) Labels() []*Group {
	return slices.SortedFunc(maps.Values(r.Groups), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Failed(), a.Failed()), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Label, b.Label))
	})
}

// mostStarts limits the number of attempts that are shown.
const mostStarts = 50

// starts returns the mean starting times of the attempts that most courses make.
func (p Proposal) starts() []float64 {
	const draws = 200
	source := newSource()
	sums, counts := [mostStarts]float64{}, [mostStarts]int{}
	for range draws {
		c := source.start(p)
		for i, more := 0, true; more && i < mostStarts; i, more = i+1, c.next() {
			sums[i] += c.at.Seconds()
			counts[i]++
		}
	}
	var starts []float64
	for i, n := range counts {
		if n > draws/2 {
			starts = append(starts, sums[i]/float64(n))
		}
	}
	return starts
}
