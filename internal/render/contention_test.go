package render

import (
	"fmt"
	"strings"
	"testing"

	"retry/policy/simulation"
)

// competing returns a result with the given number of rows, for 10, 20, … clients.
func competing(label string, complete bool, rows int) ContentionRun {
	r := ContentionRun{Named: simulation.Named{Name: "this", Label: label}}
	r.Result.Complete = complete
	for i := 1; i <= rows; i++ {
		x := float64(i)
		r.Result.Rows = append(r.Result.Rows, simulation.ContentionRow{
			Clients: 10 * i, Repetitions: 5, Calls: simulation.Spread{Mean: 100 * x, SD: 10 * x}, Time: simulation.Spread{Mean: 1500 * x, SD: 2000},
		})
	}
	return r
}

func TestContentionSentence(t *testing.T) {
	for _, test := range []struct {
		runs []ContentionRun
		want string
	}{
		{nil, "interrupted before there was a result"},
		{[]ContentionRun{competing("own", false, 0)}, "interrupted before there was a result"},
		{[]ContentionRun{competing("own", true, 2)}, "20 clients need 200 calls in 3s with own"},
		{[]ContentionRun{competing("own", true, 2), competing("other", true, 2), competing("third", true, 2)},
			"20 clients need 200 calls in 3s with own, 200 calls in 3s with other"},
		{[]ContentionRun{competing("own", true, 2), competing("other", false, 1)}, "20 clients need 200 calls in 3s with own"},
		{[]ContentionRun{competing("own", true, 2), competing("other", false, 0)}, "20 clients need 200 calls in 3s with own"},
	} {
		if got := (&Contention{Runs: test.runs}).sentence(); got != test.want {
			t.Errorf("%q, not %q", got, test.want)
		}
	}
}

// A single number of clients is drawn as bars, several as lines, with the deviation on either side but not below 0.
func TestContentionChart(t *testing.T) {
	for rows := 1; rows <= 3; rows++ {
		c := (&Contention{Command: "retry --simulate contention", Runs: []ContentionRun{competing("own", true, rows), competing("other", false, 0)}}).chart(true)
		if c.Bars != (rows == 1) || c.Command != "retry --simulate contention" || !c.Panels[0].Y.Log || !c.Panels[1].Y.Log {
			t.Errorf("%d rows: %+v", rows, c)
		}
		if got := fmt.Sprint(c.Panels[0].Series[0].Points[0], c.Panels[1].Series[0].Points[0]); got != "{10 100 90 110} {10 1.5 0 3.5}" {
			t.Errorf("%d rows: %s", rows, got)
		}
	}
}

func TestContentionText(t *testing.T) {
	c := &Contention{Runs: []ContentionRun{competing("own", false, 2), competing("other", false, 1)}}
	text := func() string {
		var out strings.Builder
		if err := c.Text(&out, 80, false, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, want := range []string{
		"  a  own\n  b  other\n", "       10  100 ±10  100 ±10\n", "       20  200 ±20         \n", "       10  1.5s  1.5s\n", "       20    3s      \n",
		"\ninterrupted: the numbers are incomplete\n", "\n20 clients need 200 calls in 3s with own\n",
	} {
		if !strings.Contains(text(), want) {
			t.Errorf("no %q in\n%s", want, text())
		}
	}
	if strings.Count(text(), "interrupted") != 1 {
		t.Errorf("interrupted more than once:\n%s", text())
	}
	c.Runs = []ContentionRun{competing("own", true, 2)}
	if strings.Contains(text(), "interrupted") {
		t.Errorf("complete, and called interrupted:\n%s", text())
	}
}
