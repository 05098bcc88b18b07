// Package answer prints what can be known without running the command: the plan of a schedule, a simulation, a review of report
// lines, an explanation of a saved log, the state of a retry budget. Package policy computes the answers and internal/render
// draws them.
package answer

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"retry/internal/options"
	"retry/internal/render"
	"retry/policy/simulation"
	"retry/runner/console"
)

// Print prints the answer that the settings ask for. A simulation that is interrupted prints the results so far.
func Print(stdout io.Writer, s *options.Settings, interrupted func() bool) error {
	switch {
	case s.AsksBudget():
		return printBudget(stdout, s)
	case s.Explain != "":
		return explain(stdout, s)
	case s.Plan:
		return show(plan(s), stdout, s)
	case len(s.Review) > 0:
		return printReview(stdout, s, interrupted)
	case s.Simulate == "help":
		return render.Parameters(stdout)
	}
	picture, err := simulate(s, interrupted)
	if err != nil {
		return err
	}
	return show(picture, stdout, s)
}

// A picture is an answer that can be written in each format of --format.
type picture interface {
	Text(out io.Writer, width int, logarithmic, color bool) error
	JSON(out io.Writer) error
	CSV(out io.Writer) error
	SVG(out io.Writer, logarithmic bool) error
}

// show prints the picture in the format given by --format.
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
		Timeout: s.Timeout, KillAfter: s.KillAfter, Deadline: s.Deadline, Inherited: s.Inherited,
	}, seed)
	if s.Given("at") {
		plan.At = render.NewAt(plan.Schedule, s.At, s.Aim)
	}
	return plan
}

// simulate runs the model with each schedule, until all are done or one is interrupted.
func simulate(s *options.Settings, interrupted func() bool) (picture, error) {
	if err := fits(s.Outage, availableMemory()); s.Simulate == "outage" && err != nil {
		return nil, err
	}
	schedules := simulation.Compared(s.Schedule, s.Outage.Budget)
	schedules[0].Label = s.ShownSchedule()
	p := &progress{out: console.Descriptor(2), width: console.Width(2), interrupted: interrupted, began: time.Now()}
	if s.Quiet() {
		p.out = io.Discard
	}
	defer p.clear()
	if s.Simulate == "contention" {
		return contention(s, append(schedules, simulation.Jittered(s.Schedule)...), p), nil
	}
	return outage(s, schedules, p), nil
}

// fits rejects an outage with more clients than there is memory for.
func fits(o simulation.Outage, available int64) error {
	const mega = 1_000_000
	if o.Memory() <= available {
		return nil
	}
	return fmt.Errorf("--simulate: %d clients take %d MB of memory, but only %d MB are available", o.Clients,
		o.Memory()/mega, max(0, available)/mega)
}

// outage runs the outage model with each schedule.
func outage(s *options.Settings, schedules []simulation.Named, p *progress) *render.Outage {
	result := &render.Outage{Command: s.ShownLine(), Model: s.Outage}
	p.of = len(schedules)
	for _, named := range schedules {
		model := s.Outage
		model.Budget = named.Budget
		run := model.Run(named.Schedule, s.Seed, p.show)
		result.Runs = append(result.Runs, render.OutageRun{Named: named, Result: run})
		if !run.Complete {
			break
		}
		runtime.GC() // frees the clients of this run before those of the next one are allocated
		p.runs++
	}
	return result
}

// contention runs the contention model with each schedule.
func contention(s *options.Settings, schedules []simulation.Named, p *progress) *render.Contention {
	result := &render.Contention{Command: s.ShownLine()}
	p.of = len(schedules)
	for _, named := range schedules {
		run := s.Contention.Run(named.Schedule, s.Seed, p.show)
		result.Runs = append(result.Runs, render.ContentionRun{Named: named, Result: run})
		if !run.Complete {
			break
		}
		p.runs++
	}
	return result
}
