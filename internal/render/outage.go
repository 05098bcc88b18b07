package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"retry/policy"
	"retry/policy/simulation"
)

// Outage holds the results of several schedules in the same outage.
type Outage struct {
	Command string // the command line, for the small print of a picture
	Model   simulation.Outage
	Runs    []OutageRun
}

// OutageRun is the result of one schedule. Files show its Name, tables and pictures its Label.
type OutageRun struct {
	simulation.Named
	Result simulation.OutageResult
}

// settled is the number of seconds at the end of a run over which its final state is averaged.
const settled = 5

// last returns the mean of a number at the end of a run.
func (r OutageRun) last(number func(simulation.OutageSample) int64) float64 {
	samples := r.Result.Samples[max(0, len(r.Result.Samples)-settled):]
	sum := 0.0
	for _, s := range samples {
		sum += float64(number(s))
	}
	return sum / float64(max(1, len(samples)))
}

// numbers lists the numbers of a sample that the table shows, in the order of its columns.
var numbers = []func(simulation.OutageSample) int64{
	func(s simulation.OutageSample) int64 { return s.InHand },
	func(s simulation.OutageSample) int64 { return s.OK },
	func(s simulation.OutageSample) int64 { return s.Timeouts },
	func(s simulation.OutageSample) int64 { return s.Retries },
}

// budgeted reports whether the clients of the first run share budgets. The second run is then the same without budgets. Clients
// give up on calls only if there is a budget.
func (o *Outage) budgeted() bool { return o.Model.Budget.PerMachine > 0 }

// Text writes a table with a row for each schedule, and the chart of the pending requests.
func (o *Outage) Text(out io.Writer, width int, logarithmic, color bool) error {
	var page strings.Builder
	m := o.Model
	fmt.Fprintf(&page, "%d clients; the server stops responding from %s to %s\n",
		m.Clients, policy.FormatDuration(m.Start), policy.FormatDuration(m.Start+m.Length))
	if o.budgeted() {
		page.WriteString(budget(m.Budget))
	}
	page.WriteByte('\n')
	table := tabwriter.NewWriter(&page, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "pending:\t\tat the end:\t\t\t\tback to\t\n")
	fmt.Fprintf(table, "peak\tat\tpending\tok/s\ttimeouts/s\tretries/s\tnormal\t  schedule\n")
	for _, r := range o.Runs {
		fmt.Fprintf(table, "%d\t%s\t", r.Result.Peak, policy.FormatDuration(r.Result.PeakAt))
		for _, number := range numbers {
			fmt.Fprintf(table, "%.0f\t", r.last(number))
		}
		fmt.Fprintf(table, "%s\t  %s\n", recovery(r.Result), r.Label)
	}
	table.Flush()
	if o.budgeted() {
		o.totals(&page)
	}
	page.WriteString(o.chart(logarithmic).Text(width, color))
	page.WriteString(o.incomplete())
	page.WriteString("\n" + o.sentence() + "\n")
	_, err := io.WriteString(out, page.String())
	return err
}

// budget describes a budget as on the command line.
func budget(s simulation.Shared) string {
	refill := "0"
	if s.Refill > 0 {
		refill = "1/" + policy.FormatDuration(rounded(1/s.Refill))
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return fmt.Sprintf("each group of %d clients shares the retry budget tokens=%s,refund=%s,refill=%s\n",
		s.PerMachine, number(s.Tokens), number(s.Refund), refill)
}

// totals writes a table with the totals of each schedule's run.
func (o *Outage) totals(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\nin total:\t\n")
	fmt.Fprintf(table, "ok\ttimeouts\tretries\tgiven up\t  schedule\n")
	for _, r := range o.Runs {
		sum := r.Result.Total()
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t  %s\n", sum.OK, sum.Timeouts, sum.Retries, sum.GivenUp, r.Label)
	}
	table.Flush()
}

// recovery returns the time at which successes are back to nine tenths of normal.
func recovery(r simulation.OutageResult) string {
	at, ok := r.Recovered()
	switch {
	case ok:
		return policy.FormatDuration(at)
	case !r.Complete:
		return "unknown"
	}
	return "never"
}

func (o *Outage) incomplete() string {
	for _, r := range o.Runs {
		if !r.Result.Complete {
			return "\ninterrupted: the numbers are incomplete\n"
		}
	}
	return ""
}

// sentence says whether the server recovers with the first schedule, the user's own, and what its budget changes.
func (o *Outage) sentence() string {
	if len(o.Runs) == 0 || len(o.Runs[0].Result.Samples) == 0 {
		return "interrupted before there was a result"
	}
	own := o.Runs[0]
	sentence := "with this schedule the server does not recover before the end, at " + policy.FormatDuration(o.Model.Duration)
	if after, ok := o.back(own); ok {
		sentence = "with this schedule the server is back to normal " + after
	} else if !own.Result.Complete {
		seconds := time.Duration(len(own.Result.Samples)) * time.Second
		sentence = "with this schedule the server has not recovered by " + policy.FormatDuration(seconds)
	}
	if o.budgeted() && len(o.Runs) > 1 && o.Runs[1].Result.Complete {
		sentence += "\n" + o.difference(own, o.Runs[1])
	}
	return sentence
}

// back says when the server is back to normal.
func (o *Outage) back(r OutageRun) (after string, ok bool) {
	at, ok := r.Result.Recovered()
	if late := at - o.Model.Start - o.Model.Length; late > 0 {
		return policy.FormatDuration(late) + " after the outage", ok
	}
	return "as soon as the outage ends", ok
}

// difference says what the budget changes.
func (o *Outage) difference(with, without OutageRun) string {
	back := "does not recover before the end, at " + policy.FormatDuration(o.Model.Duration)
	if after, ok := o.back(without); ok {
		back = "is back to normal " + after
	}
	sum := with.Result.Total()
	return fmt.Sprintf("without the budget it %s\n"+
		"with the budget there is a peak of %d pending requests instead of %d, %d retries instead of %d, and %d calls given up", back,
		with.Result.Peak, without.Result.Peak, sum.Retries, without.Result.Total().Retries, sum.GivenUp)
}

func (o *Outage) chart(logarithmic bool) *Chart {
	panel := Panel{
		Y:     Axis{"pending requests", Count, logarithmic},
		Spans: []Span{{"outage", o.Model.Start.Seconds(), (o.Model.Start + o.Model.Length).Seconds()}},
	}
	for _, r := range o.Runs {
		series := Series{Name: r.Label}
		for second, s := range r.Result.Samples {
			y := float64(s.InHand)
			series.Points = append(series.Points, Point{float64(second), y, y, y})
		}
		panel.Series = append(panel.Series, series)
	}
	return &Chart{
		Title: "Does the server recover from the outage, and how soon?", Answer: o.sentence(), Command: o.Command,
		X: Axis{"time since the beginning", Seconds, false}, Panels: []Panel{panel},
	}
}

// SVG writes the chart as a picture.
func (o *Outage) SVG(out io.Writer, logarithmic bool) error { return o.chart(logarithmic).SVG(out) }

// CSV writes a line for each second and schedule.
func (o *Outage) CSV(out io.Writer) error {
	var text strings.Builder
	text.WriteString("second,schedule,in_hand,ok,timeouts,retries")
	if o.budgeted() {
		text.WriteString(",given_up")
	}
	text.WriteByte('\n')
	for _, r := range o.Runs {
		for second, s := range r.Result.Samples {
			fmt.Fprintf(&text, "%d,%s,%d,%d,%d,%d", second, r.Name, s.InHand, s.OK, s.Timeouts, s.Retries)
			if o.budgeted() {
				fmt.Fprintf(&text, ",%d", s.GivenUp)
			}
			text.WriteByte('\n')
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// outageJSON is the result of one schedule in JSON. Times are seconds.
type outageJSON struct {
	Schedule  string       `json:"schedule"`
	Complete  bool         `json:"complete"`
	Peak      int64        `json:"peak"`
	PeakAt    float64      `json:"peak_at"`
	Normal    float64      `json:"normal"`    // successes per second before the outage
	Recovered *float64     `json:"recovered"` // null for never
	Total     *totalJSON   `json:"total,omitempty"`
	Seconds   []secondJSON `json:"seconds"`
}

type secondJSON struct {
	InHand   int64  `json:"in_hand"`
	OK       int64  `json:"ok"`
	Timeouts int64  `json:"timeouts"`
	Retries  int64  `json:"retries"`
	GivenUp  *int64 `json:"given_up,omitempty"` // with a budget
}

// totalJSON is the totals of a run with a budget.
type totalJSON struct {
	OK       int64 `json:"ok"`
	Timeouts int64 `json:"timeouts"`
	Retries  int64 `json:"retries"`
	GivenUp  int64 `json:"given_up"`
}

// JSON writes an array with an object for each schedule.
func (o *Outage) JSON(out io.Writer) error {
	list := []outageJSON{}
	for _, r := range o.Runs {
		run := outageJSON{
			Schedule: r.Name, Complete: r.Result.Complete, Normal: r.Result.Normal,
			Peak: r.Result.Peak, PeakAt: r.Result.PeakAt.Seconds(), Seconds: []secondJSON{},
		}
		if at, ok := r.Result.Recovered(); ok {
			seconds := at.Seconds()
			run.Recovered = &seconds
		}
		for _, s := range r.Result.Samples {
			second := secondJSON{InHand: s.InHand, OK: s.OK, Timeouts: s.Timeouts, Retries: s.Retries}
			if o.budgeted() {
				second.GivenUp = &s.GivenUp
			}
			run.Seconds = append(run.Seconds, second)
		}
		if o.budgeted() {
			sum := r.Result.Total()
			run.Total = &totalJSON{sum.OK, sum.Timeouts, sum.Retries, sum.GivenUp}
		}
		list = append(list, run)
	}
	return writeJSON(out, list)
}
