// Package render turns the results of --plan, --simulate and --review into tables, charts and files. It plays no part in running
// a command.
package render

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"retry/policy"
)

// Plan is the forecast of a schedule, with its limits.
type Plan struct {
	Command   string // the command line, for the small print of a picture
	Schedule  policy.Schedule
	Attempts  int // 0 for no limit
	Stagger   time.Duration
	Timeout   time.Duration // 0 for none, as for the deadline
	KillAfter time.Duration
	Deadline  time.Duration
	Inherited bool            // the deadline is that of an outer retry
	Drawn     []time.Duration // the sleeps of a run with the seed, if one was given
	At        *At             // nil without --at

	Retries []policy.Planned
}

// A plan has at most mostRetries. Without a limit it shows firstRetries, or as many as needed for the sleeps to level off.
const (
	mostRetries  = 100_000
	firstRetries = 12
)

// NewPlan computes the forecast, and the drawn sleeps if there is a seed.
func NewPlan(p Plan, seed *uint64) *Plan {
	retries := p.Attempts - 1
	switch {
	case p.Attempts == 0 && p.Deadline > 0:
		retries = p.untilDeadline()
	case p.Attempts == 0:
		retries = firstRetries
		if steady, found := p.Schedule.Steady(mostRetries); found {
			retries = max(retries, min(steady+1, 10*firstRetries))
		}
	}
	p.Retries = p.Schedule.Forecast(min(retries, mostRetries), p.Stagger)
	if seed != nil {
		p.Drawn = p.Schedule.Drawn(len(p.Retries), *seed)
	}
	return &p
}

// untilDeadline returns the number of the first retry that, on average, starts after the deadline.
func (p *Plan) untilDeadline() int {
	for n := firstRetries; ; n = min(4*n, mostRetries) {
		for i, r := range p.Schedule.Forecast(n, p.Stagger) {
			if r.Elapsed.Mean > p.Deadline {
				return i + 1
			}
		}
		if n == mostRetries {
			return n
		}
	}
}

// asleep returns the total time of all sleeps.
func (p *Plan) asleep() policy.Expectation {
	if len(p.Retries) == 0 {
		return policy.Expectation{Mean: p.Stagger / 2, Most: p.Stagger}
	}
	e := p.Retries[len(p.Retries)-1].Elapsed
	if p.Deadline > 0 {
		e.Least, e.Mean, e.Most = min(e.Least, p.Deadline), min(e.Mean, p.Deadline), min(e.Most, p.Deadline)
	}
	return e
}

// bounded reports whether the sleeps have bounds, which normally distributed ones don't.
func (p *Plan) bounded() bool {
	_, normal := p.Schedule.Jitter.(policy.Normal)
	return !normal
}

// Text writes the table, the chart and the totals. width is the width of the terminal, 0 if there is none.
func (p *Plan) Text(out io.Writer, width int, logarithmic, color bool) error {
	var page strings.Builder
	p.table(&page)
	page.WriteString(p.chart(logarithmic).Text(width, color))
	if page.Len() > 0 {
		page.WriteByte('\n')
	}
	p.totals(&page)
	if p.At != nil {
		page.WriteString("\n" + p.At.String())
	}
	page.WriteString("\n" + p.sentence() + "\n")
	_, err := io.WriteString(out, page.String())
	return err
}

func (p *Plan) table(out io.Writer) {
	if len(p.Retries) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head, names := "\tsleep:\t\t\tstarts at:\t\t\t", "retry\tmin\tmean\tmax\tmin\tmean\tmax\t"
	if p.Drawn != nil {
		head, names = head+"drawn\t", names+"sleep\t"
	}
	fmt.Fprintln(table, head)
	fmt.Fprintln(table, names)
	drawn := false
	for i, r := range p.Retries {
		fmt.Fprintf(table, "%d\t%s\t%s\t", r.Retry, cells(r.Sleep), cells(r.Elapsed))
		if p.Drawn != nil {
			fmt.Fprintf(table, "%s\t", policy.FormatDuration(p.Drawn[i]))
		}
		fmt.Fprintln(table)
		drawn = drawn || r.Sleep.Drawn
	}
	table.Flush()
	if drawn {
		fmt.Fprintln(out, "\n* estimated from 20,000 random draws; the other means are exact")
	}
	if !p.bounded() {
		fmt.Fprintln(out, "\nmin and max are 4 standard deviations from the mean, since normal noise has no bounds")
	}
}

func cells(e policy.Expectation) string {
	mark := ""
	if e.Drawn {
		mark = "*"
	}
	return fmt.Sprintf("%s\t%s%s\t%s",
		policy.FormatDuration(e.Least), mark, policy.FormatDuration(e.Mean), policy.FormatDuration(e.Most))
}

func (p *Plan) totals(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer table.Flush()
	attempts := "no limit"
	if p.Attempts > 0 {
		attempts = fmt.Sprint(p.Attempts)
	}
	fmt.Fprintf(table, "attempts\t%s\n", attempts)
	fmt.Fprintf(table, "mean sleep\t%s\n", p.meanSleep())
	asleep := p.asleep()
	if p.Attempts > 0 {
		fmt.Fprintf(table, "longest sleeps\t%s in total, plus the time that the attempts take\n", policy.FormatDuration(asleep.Most))
		if p.Timeout > 0 {
			fmt.Fprintf(table, "longest run\t%s, if every attempt runs into its timeout of %s%s\n",
				policy.FormatDuration(p.worstCase()), policy.FormatDuration(p.Timeout), p.grace())
		}
	}
	if p.Deadline > 0 {
		whose := ""
		if p.Inherited {
			whose = ", inherited from an outer retry"
		}
		fmt.Fprintf(table, "deadline\t%s%s: %s\n", policy.FormatDuration(p.Deadline), whose, p.cutOff())
		fmt.Fprintf(table, "\tthe run ends after %s at the latest: the deadline%s\n",
			policy.FormatDuration(saturated(p.Deadline, p.KillAfter, 1)), p.grace())
	}
	if retry, found := p.Schedule.Steady(mostRetries); found && p.Attempts == 0 {
		steady := p.Schedule.Forecast(retry, 0)[retry-1].Sleep
		fmt.Fprintf(table, "from retry %d on\teach sleep is at least %s, %s on average, at most %s\n", retry,
			policy.FormatDuration(steady.Least), policy.FormatDuration(steady.Mean), policy.FormatDuration(steady.Most))
	} else if p.Attempts == 0 {
		fmt.Fprintf(table, "later\tthe sleeps never level off\n")
	}
}

// meanSleep returns the formula of the mean sleep, and explains its d.
func (p *Plan) meanSleep() string {
	formula := p.Schedule.Jitter.Mean()
	if _, ok := p.Schedule.Jitter.(policy.Decorrelated); ok {
		return formula
	}
	return formula + ", where d is the nominal delay"
}

// grace returns the time that a command may take to end after a timeout or the deadline.
func (p *Plan) grace() string {
	if p.KillAfter == 0 {
		return ""
	}
	return " plus --kill-after " + policy.FormatDuration(p.KillAfter)
}

// worstCase returns the time of a run with the longest sleeps, in which every attempt times out and has to be killed.
func (p *Plan) worstCase() time.Duration {
	worst := saturated(p.asleep().Most, saturated(p.Timeout, p.KillAfter, 1), p.Attempts)
	if p.Deadline > 0 {
		worst = min(worst, saturated(p.Deadline, p.KillAfter, 1))
	}
	return worst
}

// saturated returns a + n·b, or the longest duration if that overflows.
func saturated(a, b time.Duration, n int) time.Duration {
	const longest = time.Duration(1<<63 - 1)
	if b > 0 && time.Duration(n) > (longest-a)/b {
		return longest
	}
	return a + b*time.Duration(n)
}

// cutOff says which retries would start after the deadline.
func (p *Plan) cutOff() string {
	late := func(elapsed func(policy.Expectation) time.Duration) int {
		for _, r := range p.Retries {
			if elapsed(r.Elapsed) > p.Deadline {
				return r.Retry
			}
		}
		return 0
	}
	most := late(func(e policy.Expectation) time.Duration { return e.Most })
	mean := late(func(e policy.Expectation) time.Duration { return e.Mean })
	switch {
	case most == 0:
		return "all retries start before it, unless the attempts take long"
	case mean == 0:
		return fmt.Sprintf("comes before retry %d if every sleep is as long as possible", most)
	case mean == most:
		return fmt.Sprintf("comes before retry %d", most)
	}
	return fmt.Sprintf("comes before retry %d if every sleep is as long as possible, before retry %d on average", most, mean)
}

// sentence sums up the plan.
func (p *Plan) sentence() string {
	asleep := p.asleep()
	least := ""
	if !p.bounded() {
		least = "about "
	}
	most, mean := policy.FormatDuration(asleep.Most), policy.FormatDuration(asleep.Mean)
	switch {
	case p.Attempts == 1:
		return "1 attempt, no retry"
	case p.Attempts > 0 && asleep.Least == asleep.Most:
		return fmt.Sprintf("%d attempts, sleeping %s in total", p.Attempts, most)
	case p.Attempts > 0:
		return fmt.Sprintf("%d attempts, sleeping at most %s%s in total, %s on average", p.Attempts, least, most, mean)
	case p.Deadline > 0:
		return fmt.Sprintf("as many attempts as fit into %s", policy.FormatDuration(p.Deadline))
	}
	return "attempts without limit"
}

// chart draws the sleep before each retry, and when the retry starts.
func (p *Plan) chart(logarithmic bool) *Chart {
	sleeps := Panel{Y: Axis{"sleep before the retry", Seconds, logarithmic}}
	starts := Panel{Y: Axis{"start of the retry, if the attempts took no time", Seconds, logarithmic}}
	name := "mean"
	if p.band() == "" {
		name = "exact, since nothing is random"
	}
	sleep, start := Series{Name: name}, Series{Name: name}
	for _, r := range p.Retries {
		sleep.Points = append(sleep.Points, expected(r.Retry, r.Sleep))
		start.Points = append(start.Points, expected(r.Retry, r.Elapsed))
	}
	sleeps.Series, starts.Series = []Series{sleep}, []Series{start}
	if p.Drawn != nil {
		sleeps.Series = append(sleeps.Series, p.drawn())
	}
	if p.Schedule.Cap > 0 {
		sleeps.Rules = []Rule{{Name: "cap " + policy.FormatDuration(p.Schedule.Cap), At: p.Schedule.Cap.Seconds()}}
	}
	if p.Deadline > 0 {
		starts.Rules = []Rule{{Name: "deadline " + policy.FormatDuration(p.Deadline), At: p.Deadline.Seconds()}}
	}
	return &Chart{
		Title:  "How long is each sleep, and when does each retry start?",
		Answer: p.sentence(), Command: p.Command, X: Axis{"retry", Count, false},
		Panels: []Panel{sleeps, starts}, Band: p.band(),
	}
}

func expected(retry int, e policy.Expectation) Point {
	return Point{float64(retry), e.Mean.Seconds(), e.Least.Seconds(), e.Most.Seconds()}
}

// drawn returns the series of the drawn sleeps.
func (p *Plan) drawn() Series {
	s := Series{Name: "drawn with the seed given", Style: Dots}
	for i, d := range p.Drawn {
		y := d.Seconds()
		s.Points = append(s.Points, Point{float64(i + 1), y, y, y})
	}
	return s
}

// band returns the meaning of the bands of the chart, if there are any.
func (p *Plan) band() string {
	for _, r := range p.Retries {
		switch {
		case r.Elapsed.Least >= r.Elapsed.Most:
		case p.bounded():
			return "from the least to the greatest possible"
		default:
			return "four standard deviations on either side of the mean, since normal noise has no bounds"
		}
	}
	return ""
}

// SVG writes the chart as a picture.
func (p *Plan) SVG(out io.Writer, logarithmic bool) error { return p.chart(logarithmic).SVG(out) }
