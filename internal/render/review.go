package render

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"retry/internal/review"
	"retry/policy"
	"retry/runner"
)

// Review holds the findings of a review, for all labels together and for each label.
type Review struct {
	Command  string // the command line, for the small print of a picture
	Lines    *review.Review
	All      *review.Findings
	Labels   []*review.Findings // empty if there is only one label
	AutoAxis bool               // the scale of the time axis was not given
	Complete bool               // all lines have been read
}

// Text writes a page for all calls together, with the chart, and a page for each label.
func (r *Review) Text(out io.Writer, width int, logarithmic, color bool) error {
	var page strings.Builder
	r.head(&page)
	if len(r.Labels) > 0 {
		heading(&page, "all labels")
	}
	findings(&page, r.All)
	if chart := r.chart(logarithmic).Text(width, color); chart != "" {
		page.WriteString("\n" + r.chart(logarithmic).Title + "\n" + chart)
	}
	for _, f := range r.Labels {
		heading(&page, f.Label)
		findings(&page, f)
	}
	if odd := r.odd(); odd != "" {
		page.WriteString("\n" + odd + "\n")
	}
	_, err := io.WriteString(out, page.String())
	return err
}

func heading(out io.Writer, text string) {
	fmt.Fprintf(out, "\n%s\n%s\n", text, strings.Repeat("-", len([]rune(text))))
}

// head says what was read, and compares the labels if there are several.
func (r *Review) head(out io.Writer) {
	fmt.Fprint(out, plural(r.All.Calls, "call"))
	if r.All.Label != "" {
		fmt.Fprintf(out, " of %s", r.All.Label)
	}
	if r.All.Calls > 0 {
		const day = "2006-01-02"
		fmt.Fprintf(out, ", %s to %s", r.Lines.From.Format(day), r.Lines.Until.Format(day))
	}
	fmt.Fprintln(out)
	if len(r.Labels) == 0 {
		return
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "calls\tat once\tafter retries\tgave up\tno end\tmedian outage\t  label")
	for _, f := range append([]*review.Findings{r.All}, r.Labels...) {
		label, median := f.Label, "-"
		if f == r.All {
			label = "(all)"
		}
		if at, ok := f.Curve.Quantile(0.5); ok {
			median = Seconds.value(at)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", number(f.Calls), percent(f.First, f.Calls), percent(f.Later, f.Calls),
			percent(f.Failed(), f.Calls), number(f.Unended), median, label)
	}
	table.Flush()
}

// findings writes the findings of a group.
func findings(out io.Writer, f *review.Findings) {
	if f.Calls+f.Unended == 0 {
		return
	}
	fmt.Fprintln(out)
	ends(out, f)
	if f.Calls == 0 {
		return
	}
	efforts(out, f)
	reasons(out, f)
	outages(out, f)
	schedules(out, f)
}

// ends says how calls ended.
func ends(out io.Writer, f *review.Findings) {
	row := func(what string, n int, part, more string) {
		text := fmt.Sprintf("%-24s%10s%8s  %s", what, number(n), part, more)
		fmt.Fprintln(out, strings.TrimRight(text, " "))
	}
	row("succeeded at once", f.First, percent(f.First, f.Calls), "")
	row("succeeded after retries", f.Later, percent(f.Later, f.Calls), "")
	row("gave up", f.Failed(), percent(f.Failed(), f.Calls), causes(f))
	if f.Unended > 0 {
		row("without an end", f.Unended, "", "killed, or still running")
	}
}

// causes lists the causes for which calls gave up.
func causes(f *review.Findings) string {
	var list []string
	for cause := runner.NoCause + 1; cause < runner.CauseCount; cause++ {
		if n := f.GivenUp[cause]; n > 0 {
			list = append(list, fmt.Sprintf("%s %s", cause, number(n)))
		}
	}
	return strings.Join(list, ", ")
}

// efforts says what success took, and what the retries cost and achieved.
func efforts(out io.Writer, f *review.Findings) {
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if f.First+f.Later > 0 {
		fmt.Fprintln(table, "until success\tmedian\t95 %\tmost\t")
		attempts, time := &f.AttemptsUntil, &f.TimeUntil
		fmt.Fprintf(table, "attempts\t%d\t%d\t%.0f\t\n", attempts.Whole(0.5), attempts.Whole(0.95), attempts.Most())
		fmt.Fprintf(table, "time\t%s\t%s\t%s\t\n", Seconds.value(time.Quantile(0.5)), Seconds.value(time.Quantile(0.95)), Seconds.value(time.Most()))
		table.Flush()
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%s saved %s; they cost %s of sleep and %s of failed attempts\n",
		plural(f.Attempts-f.Calls, "retry"), plural(f.Later, "call"), Seconds.value(f.Asleep), Seconds.value(f.FailedTime))
	if f.Failed() > 0 {
		fmt.Fprintf(out, "%s and %s of that went into calls that failed anyway\n",
			plural(f.LostAttempts, "attempt"), Seconds.value(f.LostTime))
	}
}

// shownReasons is the number of reasons that a page shows.
const shownReasons = 8

// reasons lists the most frequent reasons of failure.
func reasons(out io.Writer, f *review.Findings) {
	if len(f.Reasons) == 0 {
		return
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "failed attempts\tcalls\tsucceeded later\t  reason")
	list := f.Commonest()
	for _, name := range list[:min(len(list), shownReasons)] {
		reason := f.Reasons[name]
		fmt.Fprintf(table, "%s\t%s\t%s\t  %s\n", number(reason.Attempts), number(reason.Calls), percent(reason.Mended, reason.Calls), name)
	}
	table.Flush()
	if more := len(list) - shownReasons; more > 0 {
		fmt.Fprintf(out, "(%s not shown)\n", plural(more, "reason"))
	}
	if hopeless := hopelessReasons(f); len(hopeless) > 0 {
		fmt.Fprintf(out, "no retry ever helped against: %s; consider %s\n", strings.Join(hopeless, ", "), stopping(hopeless))
	}
}

// hopelessReasons returns the frequent reasons against which no retry helped, although several were made.
func hopelessReasons(f *review.Findings) (list []string) {
	const enough = 5
	for _, name := range f.Commonest() {
		if r := f.Reasons[name]; r.Mended == 0 && r.Calls >= enough && r.Attempts > r.Calls && len(list) < shownReasons {
			list = append(list, name)
		}
	}
	return list
}

// stopping returns the options that would not retry these reasons, by the exit statuses that they name.
func stopping(reasons []string) string {
	var statuses []string
	for _, reason := range reasons {
		var status int
		if n, _ := fmt.Sscanf(reason, "exit status %d", &status); n == 1 && !slices.Contains(statuses, strconv.Itoa(status)) {
			statuses = append(statuses, strconv.Itoa(status))
		}
	}
	return strings.TrimSpace("--stop-if " + strings.Join(statuses, ","))
}

// outages says how long outages lasted.
func outages(out io.Writer, f *review.Findings) {
	c := f.Curve
	if c.Ended+c.Censored == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s from a call's first failure to its first success; %s not seen to end\n",
		plural(c.Ended+c.Censored, "outage"), number(c.Censored))
	var known []string
	for _, part := range []float64{0.5, 0.9, 0.95, 0.99} {
		if at, ok := c.Quantile(part); ok {
			known = append(known, fmt.Sprintf("%s within %s", Percent.label(part), Seconds.value(at)))
		}
	}
	if len(known) > 0 {
		fmt.Fprintf(out, "over: %s\n", strings.Join(known, ", "))
	}
	if text := unknown(f); text != "" {
		fmt.Fprintln(out, text)
	}
}

// unknown says where the data can't tell.
func unknown(f *review.Findings) string {
	c := f.Curve
	ended := c.Outlived(c.Known)
	if c.Censored == 0 || ended >= 0.99 {
		return ""
	}
	return fmt.Sprintf("the longest %s lasted longer than %s, when the last call gave up; nothing more is known about them",
		percentage(1-ended), Seconds.value(c.Known))
}

// material is the smallest unknown share that the page mentions.
const material = 0.01

// schedules says what the schedules would have done.
func schedules(out io.Writer, f *review.Findings) {
	if len(f.Laid) == 0 {
		return
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "outlives\t95 % band\tlate by\tattempts\tlast after\t  schedule")
	o := f.Observed
	fmt.Fprintf(table, "%s\t\t%s\t%.1f\t\t  what happened\n", percentage(o.Outlived), Seconds.value(o.Late), o.Attempts)
	more := false
	for _, laid := range f.Laid {
		least := ""
		if laid.Unknown >= material {
			least, more = ">= ", true
		}
		fmt.Fprintf(table, "%s%s\t%s to %s\t%s\t%s%.1f\t%s\t  %s\n", least, percentage(laid.Outlived), percentage(laid.Low), percentage(laid.High),
			Seconds.value(laid.Late), least, laid.Prediction.Attempts, reach(laid), laid.Name)
	}
	table.Flush()
	if more {
		fmt.Fprintln(out, ">= because the schedule has attempts left where the data end")
	}
	advice(out, f)
}

// reach says when the last attempt starts.
func reach(laid review.Laid) string {
	if laid.Proposal.Attempts == 0 && laid.Deadline == 0 {
		return "never"
	}
	return Seconds.value(laid.Reach)
}

// advice names the smallest limits that outlive most outages.
func advice(out io.Writer, f *review.Findings) {
	fmt.Fprintf(out, "\nwith %s\n", f.By)
	for _, least := range f.Least {
		var ways []string
		if least.Deadline > 0 {
			ways = append(ways, "--deadline "+policy.FormatDuration(least.Deadline))
		}
		if least.Attempts > 0 {
			ways = append(ways, fmt.Sprintf("-n %d", least.Attempts))
		}
		way := strings.Join(ways, " or ")
		if way == "" {
			way = "the data can't tell, because too many calls gave up too early"
		}
		fmt.Fprintf(out, "to outlive %s of the outages: %s\n", Percent.label(least.Part), way)
	}
}

// odd says in one line what could not be counted.
func (r *Review) odd() string {
	var list []string
	for _, o := range []struct {
		n    int
		what string
	}{
		{r.Lines.Torn, "torn line"}, {r.Lines.Foreign, "line of other programs"}, {r.Lines.Newer, "line of a newer version"},
		{r.Lines.Incomplete, "call without all lines"}, {r.Lines.Jumped, "call with contradictory times"},
		{r.Lines.Dropped, "call without an end, forgotten because there were too many"},
	} {
		if o.n > 0 {
			list = append(list, plural(o.n, o.what))
		}
	}
	text := ""
	if len(list) > 0 {
		text = "not counted: " + strings.Join(list, ", ")
	}
	if !r.Complete {
		text = strings.TrimPrefix(text+"\ninterrupted: the numbers cover only the lines read so far", "\n")
	}
	return text
}

// number formats a count.
func number(n int) string { return Count.label(float64(n)) }

// plural formats a count of something.
func plural(n int, what string) string {
	if first, rest, found := strings.Cut(what, " "); found {
		return plural(n, first) + " " + rest
	}
	switch {
	case n == 1:
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return number(n) + " " + what
}

// percent formats a share of a whole.
func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return percentage(float64(n) / float64(of))
}

// percentage formats a share, with a decimal if a whole number would hide it.
func percentage(part float64) string {
	if p := 100 * part; p > 0 && p < 1 || p > 99 && p < 100 {
		return fmt.Sprintf("%.1f %%", min(99.9, max(0.1, math.Round(10*p)/10)))
	}
	return fmt.Sprintf("%.0f %%", 100*part)
}

// chart draws the share of the outages that last longer, and when the schedules make their attempts.
func (r *Review) chart(logarithmic bool) *Chart {
	c := r.All.Curve
	if r.AutoAxis {
		logarithmic = skewed(c)
	}
	least := 0.0
	if logarithmic {
		first, _ := c.Quantile(0.02)
		least = max(first, c.Known/1e5, 1e-3)
	}
	chart := &Chart{
		Title: "How long do outages last?", Answer: r.answer(), Command: r.Command, Band: "95 % confidence",
		X:      Axis{"time since the first failure", Seconds, logarithmic},
		Panels: []Panel{{Y: Axis{"still failing", Percent, false}}},
	}
	panel := &chart.Panels[0]
	if len(c.Points) > 0 {
		panel.Series = append(panel.Series, Series{Name: "outages", Points: survival(c, least)})
	}
	for _, laid := range r.All.Laid {
		s := Series{Name: laid.Name + ": outlives " + percentage(laid.Outlived), Style: Dots}
		for _, at := range laid.Starts {
			if at >= least && at <= c.Known {
				y := 1 - c.Outlived(at)
				s.Points = append(s.Points, Point{at, y, y, y})
			}
		}
		panel.Series = append(panel.Series, s)
	}
	return chart
}

// skewed reports whether most outages would be squeezed into the left end of a linear axis.
func skewed(c *review.Curve) bool {
	median, ok := c.Quantile(0.5)
	return ok && c.Known > 20*median
}

// survival returns the curve from a time on.
func survival(c *review.Curve, from float64) []Point {
	low, high := c.Band(from)
	points := []Point{{from, 1 - c.Outlived(from), 1 - high, 1 - low}}
	for _, p := range c.Points {
		if p.To <= from {
			continue
		}
		if last := points[len(points)-1]; p.From > last.X {
			points = append(points, Point{p.From, last.Y, last.Low, last.High})
		}
		points = append(points, Point{p.To, p.Survival, p.Lowest, p.Highest})
	}
	if last := points[len(points)-1]; c.Known > last.X {
		points = append(points, Point{c.Known, last.Y, last.Low, last.High})
	}
	return points
}

// answer answers the question of the chart in a line or two.
func (r *Review) answer() string {
	median, ok := r.All.Curve.Quantile(0.5)
	switch {
	case r.All.Curve.Ended+r.All.Curve.Censored == 0:
		return "none was seen"
	case !ok:
		return "the data can't tell: most calls gave up before the end"
	}
	text := "half of them are over after " + Seconds.value(median)
	if most, ok := r.All.Curve.Quantile(0.95); ok {
		text += ", 95 % after " + Seconds.value(most)
	}
	return text
}

// SVG writes the curve of all outages as a picture.
func (r *Review) SVG(out io.Writer, logarithmic bool) error { return r.chart(logarithmic).SVG(out) }
