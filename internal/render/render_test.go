package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"retry/policy"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what was written with a file, or writes that.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s differs; go test ./internal/render -update writes it anew\n%s", name, got.String())
	}
}

func exponential(base time.Duration, factor float64, cap time.Duration, jitter policy.Jitter) policy.Schedule {
	return policy.Schedule{Backoff: policy.Exponential{Base: base, Factor: factor}, Jitter: jitter, Cap: cap}
}

// plans are those with a golden file in each format, and one more in text.
var plans = map[string]Plan{
	"default": {
		Schedule: exponential(time.Second, 2, time.Minute, policy.Full{}), Attempts: 10, KillAfter: 10 * time.Second,
	},
	"normal-100ms": {
		Schedule: exponential(100*time.Millisecond, 2.7, 10*time.Minute, policy.Normal(0.1)), Attempts: 20,
	},
	"normal-1s": {
		Schedule: exponential(time.Second, 1.5, 5*time.Minute, policy.Normal(0.1)), Attempts: 25,
	},
	"decorrelated-deadline": {
		Schedule: exponential(time.Second, 2, 10*time.Second, policy.Decorrelated{}), Deadline: time.Minute,
		Timeout: 5 * time.Second, KillAfter: 10 * time.Second, Stagger: 3 * time.Second,
	},
	"without-end":   {Schedule: exponential(time.Second, 2, time.Minute, policy.Equal{})},
	"never-settles": {Schedule: exponential(time.Second, 2, 0, policy.None{})},
	"no-retry":      {Schedule: exponential(time.Second, 2, time.Minute, policy.Full{}), Attempts: 1},
	"timeout": {
		Schedule: policy.Schedule{Backoff: policy.Constant(2 * time.Second), Jitter: policy.None{}}, Attempts: 4,
		Timeout: 30 * time.Second, KillAfter: 10 * time.Second,
	},
}

func TestPlanGolden(t *testing.T) {
	for name, p := range plans {
		plan := NewPlan(p, nil)
		golden(t, name+".txt", func(out io.Writer) error { return plan.Text(out, 0, false, false) })
		golden(t, name+".csv", plan.CSV)
		golden(t, name+".json", plan.JSON)
	}
	for _, name := range []string{"normal-100ms", "normal-1s"} {
		plan := NewPlan(plans[name], nil)
		golden(t, name+"-log.txt", func(out io.Writer) error { return plan.Text(out, 60, true, true) })
		golden(t, name+".svg", func(out io.Writer) error { return plan.SVG(out, false) })
		golden(t, name+"-log.svg", func(out io.Writer) error { return plan.SVG(out, true) })
	}
	seed := uint64(7)
	golden(t, "seeded.txt", func(out io.Writer) error {
		return NewPlan(plans["default"], &seed).Text(out, 0, false, false)
	})
}

// The very sleeps of a seed are those that the schedule draws.
func TestPlanDrawn(t *testing.T) {
	seed := uint64(7)
	plan := NewPlan(plans["default"], &seed)
	q := plan.Schedule.Start(policy.NewRand(seed, policy.SleepStream))
	for i, d := range plan.Drawn {
		if want := q.Next(); d != want {
			t.Errorf("retry %d: %v, want %v", i+1, d, want)
		}
	}
}

func TestAtGolden(t *testing.T) {
	plain := exponential(time.Second, 2, 0, policy.None{})
	for name, a := range map[string]*At{
		"at":         NewAt(plain, 1023*time.Second, 0),
		"at-aim":     NewAt(plain, 1000*time.Second, 100*time.Second),
		"at-capped":  NewAt(exponential(time.Second, 2, time.Minute, policy.Full{}), 1000*time.Second, 100*time.Second),
		"at-linear":  NewAt(policy.Schedule{Backoff: policy.Linear(time.Second), Jitter: policy.None{}}, 100*time.Second, 0),
		"at-stuck":   NewAt(policy.Schedule{Backoff: policy.Constant(0), Jitter: policy.None{}}, time.Second, 0),
		"at-shrinks": NewAt(exponential(time.Second, 0.5, 0, policy.None{}), time.Hour, 0),
	} {
		golden(t, name+".txt", func(out io.Writer) error {
			_, err := io.WriteString(out, a.String())
			return err
		})
		plan := NewPlan(plans["default"], nil)
		plan.At = a
		var text bytes.Buffer
		if err := plan.JSON(&text); err != nil || !json.Valid(text.Bytes()) {
			t.Errorf("%s: %v, %s", name, err, text.String())
		}
	}
}

// Counted and closed answers agree where both hold.
func TestAtCountsTheSame(t *testing.T) {
	for _, factor := range []float64{1, 1.1, 1.7, 3} {
		s := exponential(time.Second, factor, 0, policy.None{})
		for n := 1; n < 22; n += 7 {
			at := policy.Geometric{Base: time.Second, Factor: factor}.Elapsed(float64(n)) + time.Millisecond
			closed, counted := NewAt(s, at, 0), &At{Time: at}
			counted.count(s)
			if math.Floor(closed.Retries) != counted.Retries || (closed.Next-counted.Next).Abs() > 10*time.Millisecond {
				t.Errorf("factor %v, %v: %+v, counted %+v", factor, at, closed, counted)
			}
		}
	}
}

// A picture is well-formed XML whatever the numbers are, and has no place that is no number.
func TestSVG(t *testing.T) {
	for name, points := range map[string][]Point{
		"none": nil, "one": {{X: 1, Y: 1}}, "zeros": {{X: 1}, {X: 2}}, "mixed": {{X: 1}, {X: 2, Y: 1e-9}, {X: 3, Y: 1e12, High: 1e15}},
	} {
		for _, logarithmic := range []bool{false, true} {
			c := &Chart{Title: "<&>", X: Axis{"x & y", Count, false}, Panels: []Panel{{
				Y: Axis{"<y>", Seconds, logarithmic}, Series: []Series{{Name: "a & b", Points: points}},
			}}}
			var text bytes.Buffer
			if err := c.SVG(&text); err != nil {
				t.Fatal(err)
			}
			decoder := xml.NewDecoder(&text)
			for {
				if _, err := decoder.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if bytes.Contains(text.Bytes(), []byte("NaN")) || bytes.Contains(text.Bytes(), []byte("Inf")) {
				t.Errorf("%s: %s", name, text.String())
			}
		}
	}
}

// A chart is never wider than the terminal.
func TestChartFits(t *testing.T) {
	plan := NewPlan(plans["normal-1s"], nil)
	for _, width := range []int{0, 30, 40, 80, 120, 200} {
		for _, line := range bytes.Split([]byte(plan.chart(true).Text(width, false)), []byte("\n")) {
			if most := max(width, 80*b2i(width == 0)); len([]rune(string(line))) > most {
				t.Errorf("width %d: %d columns: %s", width, len([]rune(string(line))), line)
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
