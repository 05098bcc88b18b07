package review

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Findings are what a group tells of outages and of schedules for them.
type Findings struct {
	*Group
	Curve    *Curve
	Observed Prediction // what happened; its band and its reach are not known
	Laid     []Laid     // the schedules that were laid over the curve
	Least    []Least    // what it takes to outlive parts of the outages
	By       string     // the schedule of Least, without limits
}

// A Candidate is a proposal and what to call it.
type Candidate struct {
	Name  string
	Short string // without its limits
	Proposal
}

// Laid is a candidate and what it would have done.
type Laid struct {
	Candidate
	Prediction
	Starts []float64 // seconds at which its attempts start, on average
}

// Least is the least deadline without a limit of attempts, and the least number of attempts without a deadline, that outlive a
// part of the outages. What is 0 the data can't tell.
type Least struct {
	Part     float64
	Deadline time.Duration
	Attempts int
}

// outlive are the parts of the outages that schedules are advised for.
var outlive = []float64{0.95, 0.99}

// Find lays candidates over the group's outages. The last is the one that advice is given for.
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

// meanFailure is how long a failed attempt takes on average: at least a millisecond, which it takes to start a command.
func (g *Group) meanFailure() time.Duration {
	return max(time.Millisecond, duration(g.FailedTime/float64(max(1, g.FailedAttempts))))
}

// observed is what became of the outages.
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

// Used returns the schedule that most calls with a failure had, as options, or "" where no line tells.
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

// Commonest returns the reasons of failure, those of the most calls first.
func (g *Group) Commonest() []string {
	return slices.SortedFunc(maps.Keys(g.Reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(g.Reasons[b].Calls, g.Reasons[a].Calls), cmp.Compare(a, b))
	})
}

// Labels returns the groups, those with the most failed calls first.
func (r *Review) Labels() []*Group {
	return slices.SortedFunc(maps.Values(r.Groups), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Failed(), a.Failed()), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Label, b.Label))
	})
}

// mostStarts bounds the attempts that are shown.
const mostStarts = 50

// starts are the mean starts of the attempts that most courses make.
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
