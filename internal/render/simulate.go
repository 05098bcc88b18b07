package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"retry/policy"
	"retry/policy/simulation"
)

// Outage is how several schedules come through the same outage.
type Outage struct {
	Command string // what asked for it, for the small print of a picture
	Model   simulation.Outage
	Runs    []OutageRun
}

// OutageRun is one of them. Its Name stands in files, its Label in tables and pictures.
type OutageRun struct {
	simulation.Named
	Result simulation.OutageResult
}

// settled is how many seconds at the end of a run are looked at for how it ends.
const settled = 5

// last is the mean of a number over the last seconds of a run.
func (r OutageRun) last(number func(simulation.OutageSample) int64) float64 {
	samples := r.Result.Samples[max(0, len(r.Result.Samples)-settled):]
	sum := 0.0
	for _, s := range samples {
		sum += float64(number(s))
	}
	return sum / float64(max(1, len(samples)))
}

// numbers are what a sample has, in the order of the columns.
var numbers = []func(simulation.OutageSample) int64{
	func(s simulation.OutageSample) int64 { return s.InHand },
	func(s simulation.OutageSample) int64 { return s.OK },
	func(s simulation.OutageSample) int64 { return s.Timeouts },
	func(s simulation.OutageSample) int64 { return s.Retries },
}

// budgeted reports whether the first run has a budget, which the second, the same without, has not. Only then there is
// something to show of calls that were given up.
func (o *Outage) budgeted() bool { return o.Model.Budget.PerMachine > 0 }

// Text writes a row for each schedule and the chart of the pending requests.
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

// budget says what the first run's clients share, much as the command line does.
func budget(s simulation.Shared) string {
	refill := "0"
	if s.Refill > 0 {
		refill = "1/" + policy.FormatDuration(rounded(1/s.Refill))
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return fmt.Sprintf("each group of %d clients shares the retry budget tokens=%s,refund=%s,refill=%s\n",
		s.PerMachine, number(s.Tokens), number(s.Refund), refill)
}

// totals writes a row for each schedule with what it came to, of which a budget is a part.
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

// recovery is when successes are back to nine tenths of what they were.
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

// sentence says what the line's own schedule, the first, does, and its budget.
func (o *Outage) sentence() string {
	if len(o.Runs) == 0 {
		return "interrupted before there was a result"
	}
	sentence := "with this schedule the server does not recover before the end, at " + policy.FormatDuration(o.Model.Duration)
	if after, ok := o.back(o.Runs[0]); ok {
		sentence = "with this schedule the server is back to normal " + after
	}
	if o.budgeted() && len(o.Runs) > 1 && o.Runs[1].Result.Complete {
		sentence += "\n" + o.difference(o.Runs[0], o.Runs[1])
	}
	return sentence
}

// back is when the server is back to normal.
func (o *Outage) back(r OutageRun) (after string, ok bool) {
	at, ok := r.Result.Recovered()
	if late := at - o.Model.Start - o.Model.Length; late > 0 {
		return policy.FormatDuration(late) + " after the outage", ok
	}
	return "as soon as the outage ends", ok
}

// difference says what a budget does.
func (o *Outage) difference(with, without OutageRun) string {
	back := "does not recover before the end, at " + policy.FormatDuration(o.Model.Duration)
	if after, ok := o.back(without); ok {
		back = "is back to normal " + after
	}
	sum := with.Result.Total()
	return fmt.Sprintf("without the budget it %s\n"+
		"the budget makes for a peak of %d pending requests instead of %d, %d retries instead of %d, and %d calls given up", back,
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

// outageJSON is the form of one schedule in JSON. Times are seconds.
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

// totalJSON is what a schedule came to, where there is a budget.
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

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Contention is how several schedules bring the same crowds through one row.
type Contention struct {
	Command string
	Runs    []ContentionRun
}

// ContentionRun is one of them.
type ContentionRun struct {
	simulation.Named
	Result simulation.ContentionResult
}

// Text writes a table of the calls and one of the time, with a row for each size of the crowd, and the charts of both.
func (c *Contention) Text(out io.Writer, width int, logarithmic, color bool) error {
	var page strings.Builder
	chart := c.chart(logarithmic)
	page.WriteString(chart.key(color) + "\n")
	c.table(&page, "calls of all clients together, and the standard deviation", func(r simulation.ContentionRow) string {
		return fmt.Sprintf("%.0f ±%.0f", r.Calls.Mean, r.Calls.SD)
	})
	c.table(&page, "time until the last client has succeeded", func(r simulation.ContentionRow) string {
		return milliseconds(r.Time.Mean)
	})
	page.WriteString(strings.TrimPrefix(chart.Text(width, color), "\n"))
	for _, r := range c.Runs {
		if !r.Result.Complete {
			page.WriteString("\ninterrupted: the numbers are incomplete\n")
			break
		}
	}
	page.WriteString("\n" + c.sentence() + "\n")
	_, err := io.WriteString(out, page.String())
	return err
}

// table writes one number of each size of the crowd, with a column for each schedule.
func (c *Contention) table(out io.Writer, title string, number func(simulation.ContentionRow) string) {
	fmt.Fprintf(out, "%s\n\n", title)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "clients\t")
	for i := range c.Runs {
		fmt.Fprintf(table, "%c\t", markOf(i, len(c.Runs)))
	}
	fmt.Fprintln(table)
	for i, row := range c.longest().Rows {
		fmt.Fprintf(table, "%d\t", row.Clients)
		for _, r := range c.Runs {
			if i < len(r.Result.Rows) {
				fmt.Fprint(table, number(r.Result.Rows[i]))
			}
			fmt.Fprint(table, "\t")
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Fprintln(out)
}

// longest is the result with the most rows: one that was interrupted has fewer.
func (c *Contention) longest() simulation.ContentionResult {
	var longest simulation.ContentionResult
	for _, r := range c.Runs {
		if len(r.Result.Rows) > len(longest.Rows) {
			longest = r.Result
		}
	}
	return longest
}

func milliseconds(ms float64) string {
	return policy.FormatDuration(time.Duration(ms * float64(time.Millisecond)).Round(time.Millisecond))
}

// chart draws the calls and the time over the number of clients, or as bars for a single number.
func (c *Contention) chart(logarithmic bool) *Chart {
	calls := Panel{Y: Axis{"calls of all clients together", Count, logarithmic}}
	times := Panel{Y: Axis{"time until the last client has succeeded", Seconds, logarithmic}}
	for _, r := range c.Runs {
		call, time := Series{Name: r.Label}, Series{Name: r.Label}
		for _, row := range r.Result.Rows {
			call.Points = append(call.Points, spread(row.Clients, row.Calls, 1))
			time.Points = append(time.Points, spread(row.Clients, row.Time, 1e-3))
		}
		calls.Series, times.Series = append(calls.Series, call), append(times.Series, time)
	}
	rows := c.longest().Rows
	return &Chart{
		Title:  "How many calls do competing clients make, and in what time?",
		Answer: c.sentence(), Command: c.Command, X: Axis{"clients", Count, false},
		Panels: []Panel{calls, times}, Bars: len(rows) == 1,
		Band: "one standard deviation on either side of the mean",
	}
}

// spread is a point with a standard deviation on either side.
func spread(clients int, s simulation.Spread, unit float64) Point {
	return Point{float64(clients), unit * s.Mean, unit * max(0, s.Mean-s.SD), unit * (s.Mean + s.SD)}
}

// sentence says what the largest crowd needs with the line's own schedule, the first, and with the next.
func (c *Contention) sentence() string {
	rows := c.longest().Rows
	if len(rows) == 0 {
		return "interrupted before there was a result"
	}
	clients := rows[len(rows)-1].Clients
	var needs []string
	for _, r := range c.Runs[:min(2, len(c.Runs))] {
		if n := len(r.Result.Rows); n > 0 && r.Result.Rows[n-1].Clients == clients {
			row := r.Result.Rows[n-1]
			needs = append(needs, fmt.Sprintf("%.0f calls in %s with %s", row.Calls.Mean, milliseconds(row.Time.Mean), r.Label))
		}
	}
	return fmt.Sprintf("%d clients need %s", clients, strings.Join(needs, ", "))
}

// SVG writes the chart as a picture.
func (c *Contention) SVG(out io.Writer, logarithmic bool) error { return c.chart(logarithmic).SVG(out) }

// CSV writes a line for each size of the crowd and schedule.
func (c *Contention) CSV(out io.Writer) error {
	var text strings.Builder
	text.WriteString("clients,schedule,calls,calls_sd,time_ms,time_ms_sd\n")
	for _, r := range c.Runs {
		for _, row := range r.Result.Rows {
			text.WriteString(strconv.Itoa(row.Clients) + "," + r.Name)
			for _, x := range []float64{row.Calls.Mean, row.Calls.SD, row.Time.Mean, row.Time.SD} {
				text.WriteString("," + strconv.FormatFloat(x, 'f', 3, 64))
			}
			text.WriteByte('\n')
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// contentionJSON is the form of one schedule in JSON. Times are milliseconds, as the model's are.
type contentionJSON struct {
	Schedule string    `json:"schedule"`
	Complete bool      `json:"complete"`
	Rows     []rowJSON `json:"rows"`
}

type rowJSON struct {
	Clients     int     `json:"clients"`
	Repetitions int     `json:"repetitions"`
	Calls       float64 `json:"calls"`
	CallsSD     float64 `json:"calls_sd"`
	Time        float64 `json:"time_ms"`
	TimeSD      float64 `json:"time_ms_sd"`
}

// JSON writes an array with an object for each schedule.
func (c *Contention) JSON(out io.Writer) error {
	list := []contentionJSON{}
	for _, r := range c.Runs {
		run := contentionJSON{Schedule: r.Name, Complete: r.Result.Complete, Rows: []rowJSON{}}
		for _, row := range r.Result.Rows {
			run.Rows = append(run.Rows, rowJSON{
				row.Clients, row.Repetitions, row.Calls.Mean, row.Calls.SD, row.Time.Mean, row.Time.SD,
			})
		}
		list = append(list, run)
	}
	return writeJSON(out, list)
}

// Parameters writes the models and their parameters.
func Parameters(out io.Writer) error {
	var page strings.Builder
	for _, model := range []struct {
		name, what string
		parameters []simulation.Parameter
	}{
		{"outage", "clients send requests; the server stops for a while, and then has to serve what piled up",
			simulation.OutageParameters()},
		{"contention", "clients compete to update one row; those that come too late read it again",
			simulation.ContentionParameters()},
	} {
		fmt.Fprintf(&page, "%s: %s\n", model.name, model.what)
		table := tabwriter.NewWriter(&page, 0, 0, 2, ' ', 0)
		for _, p := range model.parameters {
			fmt.Fprintf(table, "  %s=%s\t%s\n", p.Name, cmp.Or(p.Default, "…"), p.Help)
		}
		table.Flush()
		page.WriteByte('\n')
	}
	page.WriteString("Example: --simulate outage:clients=1000,limit=30\n")
	fmt.Fprintf(&page, "--budget tokens=10,per-machine=%d gives each group of so many clients of an outage a retry budget to share.\n",
		simulation.StandardPerMachine)
	_, err := io.WriteString(out, page.String())
	return err
}
