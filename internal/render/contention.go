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

// Contention holds the results of several schedules with the same numbers of competing clients.
type Contention struct {
	Command string // the command line, for the small print of a picture
	Runs    []ContentionRun
}

// ContentionRun is the result of one schedule. Files show its Name, tables and pictures its Label.
type ContentionRun struct {
	simulation.Named
	Result simulation.ContentionResult
}

// Text writes a table of the calls, a table of the time, with a row for each number of clients, and the charts of both.
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

// table writes a row for each number of clients, with a column for each schedule.
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

// longest returns the result with the most rows. A result that was interrupted has fewer.
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

// chart draws the calls and the time against the number of clients, or as bars for a single number of clients.
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

// spread returns a point with a band of one standard deviation on either side.
func spread(clients int, s simulation.Spread, unit float64) Point {
	return Point{float64(clients), unit * s.Mean, unit * max(0, s.Mean-s.SD), unit * (s.Mean + s.SD)}
}

// sentence compares the first schedule, the user's own, with the second one, for the greatest number of clients.
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

// CSV writes a line for each schedule and number of clients.
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

// contentionJSON is the result of one schedule in JSON. Times are milliseconds.
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
