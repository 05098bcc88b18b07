package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"retry/internal/render"
	"retry/policy/simulation"
	"retry/runner"
)

// answer answers --plan, --simulate and --budget without a command.
func answer(system *runner.System, stdout io.Writer, s *settings) error {
	switch {
	case s.asksBudget():
		return printBudget(stdout, s)
	case s.plan:
		return show(plan(s), stdout, s)
	case s.simulate == "help":
		return render.Parameters(stdout)
	}
	return show(simulate(system, s), stdout, s)
}

// A picture is an answer in the forms of --format.
type picture interface {
	Text(out io.Writer, width int, logarithmic, color bool) error
	JSON(out io.Writer) error
	CSV(out io.Writer) error
	SVG(out io.Writer, logarithmic bool) error
}

func show(p picture, stdout io.Writer, s *settings) error {
	switch s.format {
	case "json":
		return p.JSON(stdout)
	case "csv":
		return p.CSV(stdout)
	case "svg":
		return p.SVG(stdout, s.logarithmic)
	}
	width := runner.TerminalWidth(1)
	color := width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return p.Text(stdout, width, s.logarithmic, color)
}

func plan(s *settings) picture {
	var seed *uint64
	if s.given["seed"] != nowhere {
		seed = &s.seed
	}
	plan := render.NewPlan(render.Plan{
		Schedule: s.schedule(), Attempts: s.maxAttempts, Stagger: s.stagger,
		Timeout: s.timeout, KillAfter: s.killAfter, Deadline: s.deadline,
	}, seed)
	if s.given["at"] != nowhere {
		plan.At = render.NewAt(plan.Schedule, s.at, s.aim)
	}
	return plan
}

// simulate runs the model with each of the schedules. A signal ends it with what is known by then.
func simulate(system *runner.System, s *settings) picture {
	s.outage.Budget = s.shared()
	schedules := simulation.Compared(s.schedule(), s.outage.Budget)
	bar := &progressBar{system: system, width: runner.TerminalWidth(2), began: time.Now(), of: len(schedules)}
	defer bar.clear()
	outage, contention := &render.Outage{Model: s.outage}, &render.Contention{}
	for _, named := range schedules {
		if s.simulate == "outage" {
			model := s.outage
			model.Budget = named.Budget
			result := model.Run(named.Schedule, s.seed, bar.show)
			outage.Runs = append(outage.Runs, render.OutageRun{Name: named.Name, Result: result})
		} else {
			result := s.contention.Run(named.Schedule, s.seed, bar.show)
			contention.Runs = append(contention.Runs, render.ContentionRun{Name: named.Name, Result: result})
		}
		bar.done++
	}
	if s.simulate == "outage" {
		return outage
	}
	return contention
}

// shared is the budget of the clients of an outage. The other model has none.
func (s *settings) shared() simulation.Shared {
	if s.given["budget"] == nowhere || s.simulate != "outage" {
		return simulation.Shared{}
	}
	return simulation.Shared{Budget: s.budget, PerMachine: cmp.Or(s.perMachine, simulation.StandardPerMachine)}
}

// progressBar shows on a terminal how far something is that takes more than a second.
type progressBar struct {
	system   *runner.System
	width    int // 0 where there is no terminal
	began    time.Time
	drawn    time.Time
	done, of int
}

// show also reports whether to go on.
func (b *progressBar) show(part float64) bool {
	const every, columns = 250 * time.Millisecond, 40
	now := time.Now()
	if b.width > 2*columns-20 && now.Sub(b.began) > time.Second && now.Sub(b.drawn) > every {
		b.drawn = now
		part = (float64(b.done) + part) / float64(b.of)
		full := int(part * columns)
		fmt.Fprintf(runner.Descriptor(2), "\rretry: [%s%s] %3.0f%%",
			strings.Repeat("=", full), strings.Repeat(" ", columns-full), 100*part)
	}
	return b.system.Interrupted().Number == 0
}

func (b *progressBar) clear() {
	if !b.drawn.IsZero() {
		fmt.Fprint(runner.Descriptor(2), "\r\x1b[K")
	}
}
