package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"retry/policy"
	"retry/policy/simulation"
)

// aRun returns a run with a second for each number of successes, after an outage from 5 s to 10 s.
func aRun(label string, complete bool, ok ...int64) OutageRun {
	r := OutageRun{Named: simulation.Named{Name: "this", Label: label}}
	r.Result = simulation.OutageResult{Normal: 100, Resumed: 10 * time.Second, Complete: complete}
	for i, n := range ok {
		r.Result.Samples = append(r.Result.Samples, simulation.OutageSample{
			InHand: int64(10 * i), OK: n, Timeouts: int64(i), Retries: int64(2 * i), GivenUp: 1,
		})
	}
	return r
}

// seconds returns the successes of a run of 25 s that is back to normal at some second, or never.
func seconds(back int) []int64 {
	list := make([]int64, 25)
	for i := range list {
		if i < 5 || back > 0 && i >= back {
			list[i] = 100
		}
	}
	return list
}

func TestOutageSentence(t *testing.T) {
	model := simulation.Outage{Start: 5 * time.Second, Length: 5 * time.Second, Duration: 25 * time.Second}
	budgeted := model
	budgeted.Budget = simulation.Shared{Budget: policy.StandardBudget(), PerMachine: 10}
	never, back, late := aRun("own", true, seconds(0)...), aRun("own", true, seconds(10)...), aRun("own", true, seconds(13)...)
	cut, nothing := aRun("own", false, seconds(0)[:12]...), aRun("own", false)
	never.Result.Peak, late.Result.Peak = 240, 120
	budget := "\nwith the budget there is a peak of 120 pending requests instead of 240, 600 retries instead of 600, and 25 calls given up"
	for _, test := range []struct {
		outage Outage
		want   string
	}{
		{Outage{Model: model}, "interrupted before there was a result"},
		{Outage{Model: model, Runs: []OutageRun{nothing}}, "interrupted before there was a result"},
		{Outage{Model: model, Runs: []OutageRun{cut}}, "with this schedule the server has not recovered by 12s"},
		{Outage{Model: model, Runs: []OutageRun{never, back}}, "with this schedule the server does not recover before the end, at 25s"},
		{Outage{Model: model, Runs: []OutageRun{back}}, "with this schedule the server is back to normal as soon as the outage ends"},
		{Outage{Model: model, Runs: []OutageRun{late}}, "with this schedule the server is back to normal 3s after the outage"},
		{Outage{Model: budgeted, Runs: []OutageRun{late, never}}, "with this schedule the server is back to normal 3s after the outage\n" +
			"without the budget it does not recover before the end, at 25s" + budget},
		{Outage{Model: budgeted, Runs: []OutageRun{late, cut}}, "with this schedule the server is back to normal 3s after the outage"},
		{Outage{Model: budgeted, Runs: []OutageRun{late}}, "with this schedule the server is back to normal 3s after the outage"},
	} {
		if got := test.outage.sentence(); got != test.want {
			t.Errorf("%q, not %q", got, test.want)
		}
	}
	o := Outage{Model: budgeted, Runs: []OutageRun{never, late}}
	if want := "without the budget it is back to normal 3s after the outage\n"; !strings.Contains(o.sentence(), want) {
		t.Errorf("%q has no %q", o.sentence(), want)
	}
}

// The state at the end is the mean of the last five seconds, or of all seconds if there are fewer.
func TestLast(t *testing.T) {
	ok := func(s simulation.OutageSample) int64 { return s.OK }
	for want, samples := range map[float64][]int64{0: nil, 7: {7}, 2.5: {1, 4}, 3: {100, 1, 2, 3, 4, 5}} {
		if got := aRun("", true, samples...).last(ok); got != want {
			t.Errorf("%v: %v, not %v", samples, got, want)
		}
	}
}

func TestOutageText(t *testing.T) {
	model := simulation.Outage{Clients: 7, Start: 5 * time.Second, Length: 5 * time.Second, Duration: 25 * time.Second}
	o := Outage{Model: model, Runs: []OutageRun{aRun("own", true, seconds(13)...), aRun("other", true, seconds(0)...), aRun("third", false, seconds(0)[:3]...)}}
	text := func() string {
		var out strings.Builder
		if err := o.Text(&out, 80, false, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, want := range []string{
		"7 clients; the server stops responding from 5s to 10s\n\n", "   13s  own\n", "  never  other\n", "  unknown  third\n",
		"     220   100          22         44      13s  own\n", "\ninterrupted: the numbers are incomplete\n",
	} {
		if !strings.Contains(text(), want) {
			t.Errorf("no %q in\n%s", want, text())
		}
	}
	if strings.Contains(text(), "given up") || strings.Contains(text(), "budget") {
		t.Errorf("a budget where there is none:\n%s", text())
	}
	o.Runs = o.Runs[:2]
	o.Model.Budget = simulation.Shared{Budget: policy.Budget{Tokens: 2.5, Refund: 0.1, Refill: 0.5}, PerMachine: 3}
	for _, want := range []string{
		"\neach group of 3 clients shares the retry budget tokens=2.5,refund=0.1,refill=1/2s\n", "in total:", "  1700       300      600        25  own\n",
	} {
		if !strings.Contains(text(), want) {
			t.Errorf("no %q in\n%s", want, text())
		}
	}
	if strings.Contains(text(), "incomplete") {
		t.Errorf("complete, and called incomplete:\n%s", text())
	}
	o.Model.Budget.Refill = 0
	if want := "refill=0\n"; !strings.Contains(text(), want) {
		t.Errorf("no %q in\n%s", want, text())
	}
}

// The outage is shaded, and each second is drawn at its place.
func TestOutageChart(t *testing.T) {
	model := simulation.Outage{Start: 5 * time.Second, Length: 6 * time.Second}
	o := &Outage{Command: "retry --simulate outage", Model: model, Runs: []OutageRun{aRun("own", true, 1, 2, 3)}}
	c := o.chart(true)
	panel := c.Panels[0]
	if got := fmt.Sprint(panel.Spans, panel.Series[0].Points[2], panel.Y.Log, c.Command); got != "[{outage 5 11}] {2 20 20 20} trueretry --simulate outage" {
		t.Error(got)
	}
}

// JSON has totals and calls given up only with a budget, and null for a server that never recovers.
func TestOutageJSON(t *testing.T) {
	model := simulation.Outage{Start: 5 * time.Second, Length: 5 * time.Second, Duration: 25 * time.Second}
	for _, perMachine := range []int{0, 4} {
		model.Budget.PerMachine = perMachine
		o := Outage{Model: model, Runs: []OutageRun{aRun("own", true, seconds(13)...), aRun("other", true, seconds(0)...)}}
		var out bytes.Buffer
		if err := o.JSON(&out); err != nil {
			t.Fatal(err)
		}
		var got []map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		_, total := got[0]["total"]
		_, givenUp := got[0]["seconds"].([]any)[0].(map[string]any)["given_up"]
		if got[0]["recovered"] != 13.0 || got[1]["recovered"] != nil || total != (perMachine > 0) || givenUp != (perMachine > 0) {
			t.Errorf("per machine %d: %s", perMachine, out.String())
		}
		var csv strings.Builder
		if err := o.CSV(&csv); err != nil || strings.Contains(csv.String(), "given_up") != (perMachine > 0) {
			t.Errorf("per machine %d: %v, %s", perMachine, err, csv.String())
		}
		want := "\n2,this,20,100,2,4\n"
		if perMachine > 0 {
			want = "\n2,this,20,100,2,4,1\n"
		}
		if !strings.Contains(csv.String(), want) {
			t.Errorf("no %q in %s", want, csv.String())
		}
	}
}
