package render

import (
	"io"
	"testing"
	"time"

	"retry/policy"
	"retry/policy/simulation"
)

// TestSimulateGolden compares the output for small simulations; package simulation tests the numbers in it.
func TestSimulateGolden(t *testing.T) {
	this := exponential(100*time.Millisecond, 2.71828, 5*time.Minute, policy.Normal(0.1))
	schedules := simulation.Compared(this, simulation.Shared{})
	schedules[0].Label = "--base 100ms --factor 2.71828"
	model, err := simulation.ParseOutage("clients=200,limit=10,step=5,outage=5s@5s,duration=20s")
	if err != nil {
		t.Fatal(err)
	}
	outage := outageOf(model, schedules)
	outage.Command = "retry --simulate outage:clients=200"
	model.Budget = simulation.Shared{Budget: policy.Budget{Tokens: 3, Refund: 0.1, Refill: 1.0 / 60}, PerMachine: 50}
	budgeted := outageOf(model, simulation.Compared(this, model.Budget))
	crowd, err := simulation.ParseContention("clients=10-30,repetitions=20")
	if err != nil {
		t.Fatal(err)
	}
	contention := &Contention{Command: "retry --simulate contention:clients=10-30"}
	single := &Contention{Command: "retry --simulate contention:clients=30"}
	for _, s := range schedules {
		result := crowd.Run(s.Schedule, 1, nil)
		contention.Runs = append(contention.Runs, ContentionRun{s, result})
		result.Rows = result.Rows[2:]
		single.Runs = append(single.Runs, ContentionRun{s, result})
	}
	golden(t, "outage.txt", func(out io.Writer) error { return outage.Text(out, 0, false, false) })
	golden(t, "outage.csv", outage.CSV)
	golden(t, "outage.json", outage.JSON)
	golden(t, "outage.svg", func(out io.Writer) error { return outage.SVG(out, true) })
	golden(t, "budget.txt", func(out io.Writer) error { return budgeted.Text(out, 0, false, false) })
	golden(t, "budget.csv", budgeted.CSV)
	golden(t, "budget.json", budgeted.JSON)
	golden(t, "budget.svg", func(out io.Writer) error { return budgeted.SVG(out, false) })
	golden(t, "contention.txt", func(out io.Writer) error { return contention.Text(out, 0, false, false) })
	golden(t, "contention.csv", contention.CSV)
	golden(t, "contention.json", contention.JSON)
	golden(t, "contention.svg", func(out io.Writer) error { return contention.SVG(out, false) })
	golden(t, "contention-single.txt", func(out io.Writer) error { return single.Text(out, 0, false, false) })
	golden(t, "contention-single.svg", func(out io.Writer) error { return single.SVG(out, false) })
	golden(t, "parameters.txt", Parameters)
}

func outageOf(model simulation.Outage, schedules []simulation.Named) *Outage {
	outage := &Outage{Model: model}
	for _, s := range schedules {
		model.Budget = s.Budget
		outage.Runs = append(outage.Runs, OutageRun{s, model.Run(s.Schedule, 1, nil)})
	}
	return outage
}

// An interrupted run shows the results so far, and says that they are incomplete.
func TestSimulateInterrupted(t *testing.T) {
	model, err := simulation.ParseOutage("clients=200")
	if err != nil {
		t.Fatal(err)
	}
	crowd, err := simulation.ParseContention("clients=10-30,repetitions=20")
	if err != nil {
		t.Fatal(err)
	}
	half := func(done float64) bool { return done < 0.5 }
	this := simulation.Compared(exponential(time.Second, 2, time.Minute, policy.Full{}),
		simulation.Shared{Budget: policy.Budget{Tokens: 2e6, Refund: 1}, PerMachine: 7})
	outage := &Outage{Model: model, Runs: []OutageRun{{this[0], model.Run(this[0].Schedule, 1, half)}}}
	budgeted := &Outage{Model: model, Runs: []OutageRun{
		{this[0], model.Run(this[0].Schedule, 1, nil)}, {this[1], model.Run(this[1].Schedule, 1, half)},
	}}
	budgeted.Model.Budget = this[0].Budget
	contention := &Contention{Runs: []ContentionRun{
		{this[0], crowd.Run(this[0].Schedule, 1, nil)}, {this[2], crowd.Run(this[2].Schedule, 1, half)},
	}}
	golden(t, "outage-interrupted.txt", func(out io.Writer) error { return outage.Text(out, 0, false, false) })
	golden(t, "budget-interrupted.txt", func(out io.Writer) error { return budgeted.Text(out, 0, false, false) })
	golden(t, "contention-interrupted.txt", func(out io.Writer) error { return contention.Text(out, 0, false, false) })
}
