package render

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"retry/policy"
)

// CSV writes a line for each retry, in seconds. With a seed, the last column is the drawn sleep.
func (p *Plan) CSV(out io.Writer) error {
	var text strings.Builder
	text.WriteString("retry,sleep_min,sleep_mean,sleep_max,elapsed_min,elapsed_mean,elapsed_max")
	if p.Drawn != nil {
		text.WriteString(",drawn")
	}
	text.WriteByte('\n')
	for i, r := range p.Retries {
		text.WriteString(strconv.Itoa(r.Retry))
		for _, d := range []time.Duration{
			r.Sleep.Least, r.Sleep.Mean, r.Sleep.Most, r.Elapsed.Least, r.Elapsed.Mean, r.Elapsed.Most,
		} {
			text.WriteString("," + decimal(d))
		}
		if p.Drawn != nil {
			text.WriteString("," + decimal(p.Drawn[i]))
		}
		text.WriteByte('\n')
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// decimal formats a duration in seconds, with at least three decimals but no further trailing zeros.
func decimal(d time.Duration) string {
	text := strconv.FormatFloat(d.Seconds(), 'f', 9, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	return whole + "." + fraction[:3] + strings.TrimRight(fraction[3:], "0")
}

// planJSON is a plan in JSON. Durations are seconds.
type planJSON struct {
	Attempts int         `json:"attempts"` // 0 for no limit
	Timeout  float64     `json:"timeout,omitempty"`
	Deadline float64     `json:"deadline,omitempty"`
	Retries  []retryJSON `json:"retries"`
	Asleep   boundsJSON  `json:"asleep"`
	Worst    *float64    `json:"worst_case,omitempty"` // with a timeout
	At       *atJSON     `json:"at,omitempty"`
	Sentence string      `json:"sentence"`
}

type retryJSON struct {
	Retry   int        `json:"retry"`
	Sleep   boundsJSON `json:"sleep"`
	Elapsed boundsJSON `json:"elapsed"`
	Drawn   *float64   `json:"drawn,omitempty"` // with a seed
}

type boundsJSON struct {
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	Max   float64 `json:"max"`
	Exact bool    `json:"exact"` // the mean comes from a formula
}

func bounds(e policy.Expectation) boundsJSON {
	return boundsJSON{e.Least.Seconds(), e.Mean.Seconds(), e.Most.Seconds(), !e.Drawn}
}

// JSON writes one object.
func (p *Plan) JSON(out io.Writer) error {
	plan := planJSON{
		Attempts: p.Attempts, Timeout: p.Timeout.Seconds(), Deadline: p.Deadline.Seconds(),
		Retries: []retryJSON{}, Asleep: bounds(p.asleep()), Sentence: p.sentence(),
	}
	if p.Attempts > 0 && p.Timeout > 0 {
		worst := p.worstCase().Seconds()
		plan.Worst = &worst
	}
	if p.At != nil {
		plan.At = p.At.json()
	}
	for i, r := range p.Retries {
		line := retryJSON{Retry: r.Retry, Sleep: bounds(r.Sleep), Elapsed: bounds(r.Elapsed)}
		if p.Drawn != nil {
			drawn := p.Drawn[i].Seconds()
			line.Drawn = &drawn
		}
		plan.Retries = append(plan.Retries, line)
	}
	return writeJSON(out, plan)
}

// writeJSON writes a value with indentation.
func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
