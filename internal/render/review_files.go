package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"retry/internal/review"
	"retry/runner"
)

// CSV writes the curves, of all labels together and of each label: a line for each time at which outages ended.
func (r *Review) CSV(out io.Writer) error {
	var text strings.Builder
	text.WriteString("label,seconds,survival,low,high,at_risk,ended\n")
	for _, f := range append([]*review.Findings{r.All}, r.Labels...) {
		for _, p := range f.Curve.Points {
			fmt.Fprintf(&text, "%s,%.6g,%.6f,%.6f,%.6f,%.6g,%.6g\n", csvField(f.Label), p.To, p.Survival, p.Lowest, p.Highest, p.AtRisk, p.Ended)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// csvField quotes a field if necessary, as in RFC 4180.
func csvField(text string) string {
	if strings.ContainsAny(text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// reviewJSON is the form of a review in JSON. Times are seconds.
type reviewJSON struct {
	From     *time.Time  `json:"from"` // null if no call ended
	Until    *time.Time  `json:"until"`
	Complete bool        `json:"complete"` // all lines were read
	All      groupJSON   `json:"all"`
	Labels   []groupJSON `json:"labels"` // empty if there is only one
	Odd      oddJSON     `json:"not_counted"`
}

type oddJSON struct {
	Torn       int `json:"torn_lines"`
	Foreign    int `json:"lines_of_others"`
	Newer      int `json:"lines_of_newer_version"`
	Incomplete int `json:"calls_without_all_lines"`
	Jumped     int `json:"calls_with_contradicting_times"`
	Dropped    int `json:"unended_calls_dropped"`
}

type groupJSON struct {
	Label     string                `json:"label,omitempty"`
	Calls     int                   `json:"calls"`
	First     int                   `json:"succeeded_at_once"`
	Later     int                   `json:"succeeded_after_retries"`
	GivenUp   map[string]int        `json:"gave_up"` // by cause
	Unended   int                   `json:"without_end"`
	Attempts  int                   `json:"attempts"`
	Asleep    float64               `json:"asleep"`
	Failed    float64               `json:"in_failed_attempts"`
	Lost      lostJSON              `json:"of_calls_that_failed"`
	Until     map[string]bestJSON   `json:"until_success"`
	Reasons   map[string]reasonJSON `json:"reasons"`
	Outages   outagesJSON           `json:"outages"`
	Schedules []laidJSON            `json:"schedules"`
	Advice    []adviceJSON          `json:"advice"`
}

type lostJSON struct {
	Attempts int     `json:"attempts"`
	Time     float64 `json:"time"`
}

type bestJSON struct {
	Median float64 `json:"median"`
	Most95 float64 `json:"p95"`
	Most   float64 `json:"max"`
}

type reasonJSON struct {
	Attempts int `json:"attempts"`
	Calls    int `json:"calls"`
	Mended   int `json:"succeeded_later"`
}

type outagesJSON struct {
	Ended    int                 `json:"ended"`
	Censored int                 `json:"not_seen_to_end"`
	Known    float64             `json:"known_until"`
	Within   map[string]*float64 `json:"over_within"` // null if the data can't tell
	Curve    []pointJSON         `json:"curve"`
}

type pointJSON struct {
	Seconds  float64 `json:"seconds"`
	Survival float64 `json:"survival"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	AtRisk   float64 `json:"at_risk"`
	Ended    float64 `json:"ended"`
}

type laidJSON struct {
	Schedule string   `json:"schedule"` // empty for what happened
	Outlived float64  `json:"outlived"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Late     float64  `json:"late"`
	Attempts float64  `json:"attempts"`
	Last     *float64 `json:"last_attempt,omitempty"`
	Unknown  float64  `json:"unknown"` // how much greater the share may be, because attempts are left where the data end
}

type adviceJSON struct {
	Part     float64  `json:"part"`
	Deadline *float64 `json:"deadline"` // null if the data can't tell
	Attempts *int     `json:"attempts"`
	With     string   `json:"with"`
}

// JSON writes one object.
func (r *Review) JSON(out io.Writer) error {
	form := reviewJSON{
		Complete: r.Complete, All: group(r.All), Labels: []groupJSON{},
		Odd: oddJSON{r.Lines.Torn, r.Lines.Foreign, r.Lines.Newer, r.Lines.Incomplete, r.Lines.Jumped, r.Lines.Dropped},
	}
	if r.All.Calls > 0 {
		form.From, form.Until = &r.Lines.From, &r.Lines.Until
	}
	for _, f := range r.Labels {
		form.Labels = append(form.Labels, group(f))
	}
	return writeJSON(out, form)
}

func group(f *review.Findings) groupJSON {
	g := groupJSON{
		Label: f.Label, Calls: f.Calls, First: f.First, Later: f.Later, GivenUp: map[string]int{}, Unended: f.Unended,
		Attempts: f.Attempts, Asleep: figures(f.Asleep), Failed: figures(f.FailedTime), Lost: lostJSON{f.LostAttempts, figures(f.LostTime)},
		Until: map[string]bestJSON{
			"attempts": {float64(f.AttemptsUntil.Whole(0.5)), float64(f.AttemptsUntil.Whole(0.95)), f.AttemptsUntil.Most()},
			"time":     {figures(f.TimeUntil.Quantile(0.5)), figures(f.TimeUntil.Quantile(0.95)), figures(f.TimeUntil.Most())},
		},
		Reasons: map[string]reasonJSON{}, Outages: curveJSON(f.Curve), Schedules: []laidJSON{}, Advice: []adviceJSON{},
	}
	for cause := runner.NoCause + 1; cause < runner.CauseCount; cause++ {
		if n := f.GivenUp[cause]; n > 0 {
			g.GivenUp[cause.String()] = n
		}
	}
	for name, reason := range f.Reasons {
		g.Reasons[name] = reasonJSON{reason.Attempts, reason.Calls, reason.Mended}
	}
	if f.Curve.Ended+f.Curve.Censored > 0 {
		g.Schedules = append(g.Schedules, laidJSON{
			Outlived: figures(f.Observed.Outlived), Late: figures(f.Observed.Late), Attempts: figures(f.Observed.Attempts),
		})
	}
	for _, l := range f.Laid {
		low, high, reach := figures(l.Low), figures(l.High), figures(l.Reach)
		g.Schedules = append(g.Schedules, laidJSON{
			l.Name, figures(l.Outlived), &low, &high, figures(l.Late), figures(l.Prediction.Attempts), &reach, figures(l.Unknown),
		})
	}
	for _, least := range f.Least {
		a := adviceJSON{Part: least.Part, With: f.By}
		if seconds := least.Deadline.Seconds(); seconds > 0 {
			a.Deadline = &seconds
		}
		if least.Attempts > 0 {
			a.Attempts = &least.Attempts
		}
		g.Advice = append(g.Advice, a)
	}
	return g
}

func curveJSON(c *review.Curve) outagesJSON {
	form := outagesJSON{Ended: c.Ended, Censored: c.Censored, Known: figures(c.Known), Within: map[string]*float64{}, Curve: []pointJSON{}}
	for name, part := range map[string]float64{"50%": 0.5, "90%": 0.9, "95%": 0.95, "99%": 0.99} {
		form.Within[name] = nil
		if at, ok := c.Quantile(part); ok {
			at = figures(at)
			form.Within[name] = &at
		}
	}
	for _, p := range c.Points {
		form.Curve = append(form.Curve, pointJSON{
			figures(p.To), figures(p.Survival), figures(p.Lowest), figures(p.Highest), figures(p.AtRisk), figures(p.Ended),
		})
	}
	return form
}

// figures rounds an estimate to the six figures of the CSV.
func figures(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return x
}
