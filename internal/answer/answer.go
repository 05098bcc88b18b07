// Package answer prints what can be known before a run, or without one: the plan of a schedule, a simulation, the state of a
// retry budget. It computes by package policy, draws by internal/render, and runs no command.
package answer

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"retry/internal/options"
	"retry/internal/render"
	"retry/policy/simulation"
	"retry/runner/console"
)

// Print prints the answer that the settings ask for. A simulation that is interrupted prints what it has so far.
func Print(stdout io.Writer, s *options.Settings, interrupted func() bool) error {
	switch {
	case s.AsksBudget():
		return printBudget(stdout, s)
	case s.Plan:
		return show(plan(s), stdout, s)
	case len(s.Review) > 0:
		return printReview(stdout, s, interrupted)
	case s.Simulate == "help":
		return render.Parameters(stdout)
	}
	return show(simulate(s, interrupted), stdout, s)
}

// A picture is an answer in the formats of --format.
type picture interface {
	Text(out io.Writer, width int, logarithmic, color bool) error
	JSON(out io.Writer) error
	CSV(out io.Writer) error
	SVG(out io.Writer, logarithmic bool) error
}

// show prints the picture in the format that was asked for.
func show(p picture, stdout io.Writer, s *options.Settings) error {
	switch s.Format {
	case "json":
		return p.JSON(stdout)
	case "csv":
		return p.CSV(stdout)
	case "svg":
		return p.SVG(stdout, s.Logarithmic)
	}
	width := console.Width(1)
	color := width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return p.Text(stdout, width, s.Logarithmic, color)
}

// plan returns the forecast of the schedule.
func plan(s *options.Settings) picture {
	var seed *uint64
	if s.Given("seed") {
		seed = &s.Seed
	}
	plan := render.NewPlan(render.Plan{
		Command: s.ShownLine(), Schedule: s.Schedule, Attempts: s.MaxAttempts, Stagger: s.Stagger,
		Timeout: s.Timeout, KillAfter: s.KillAfter, Deadline: s.Deadline,
	}, seed)
	if s.Given("at") {
		plan.At = render.NewAt(plan.Schedule, s.At, s.Aim)
	}
	return plan
}

// simulate runs the model with each schedule.
func simulate(s *options.Settings, interrupted func() bool) picture {
	schedules := simulation.Compared(s.Schedule, s.Outage.Budget)
	schedules[0].Label = s.ShownSchedule()
	if s.Simulate == "contention" {
		schedules = append(schedules, simulation.Jittered(s.Schedule)...)
	}
	bar := &progressBar{interrupted: interrupted, width: console.Width(2), began: time.Now(), of: len(schedules)}
	defer bar.clear()
	outage, contention := &render.Outage{Command: s.ShownLine(), Model: s.Outage}, &render.Contention{Command: s.ShownLine()}
	for _, named := range schedules {
		if s.Simulate == "outage" {
			model := s.Outage
			model.Budget = named.Budget
			result := model.Run(named.Schedule, s.Seed, bar.show)
			outage.Runs = append(outage.Runs, render.OutageRun{Named: named, Result: result})
		} else {
			result := s.Contention.Run(named.Schedule, s.Seed, bar.show)
			contention.Runs = append(contention.Runs, render.ContentionRun{Named: named, Result: result})
		}
		bar.done++
	}
	if s.Simulate == "outage" {
		return outage
	}
	return contention
}

// A progressBar shows the progress of a simulation that takes more than a second, on a terminal.
type progressBar struct {
	interrupted func() bool
	width       int // 0 where there is no terminal
	began       time.Time
	drawn       time.Time
	done, of    int
}

// show draws the bar, with this part of the current model done, and reports whether to go on.
func (b *progressBar) show(part float64) bool {
	const every, columns = 250 * time.Millisecond, 40
	now := time.Now()
	if b.width > 2*columns-20 && now.Sub(b.began) > time.Second && now.Sub(b.drawn) > every {
		b.drawn = now
		part = (float64(b.done) + part) / float64(b.of)
		full := int(part * columns)
		fmt.Fprintf(console.Descriptor(2), "\rretry: [%s%s] %3.0f%%",
			strings.Repeat("=", full), strings.Repeat(" ", columns-full), 100*part)
	}
	return !b.interrupted()
}

// clear removes the bar from the screen.
func (b *progressBar) clear() {
	if !b.drawn.IsZero() {
		fmt.Fprint(console.Descriptor(2), "\r\x1b[K")
	}
}
