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
	"strings"
	"testing"
	"time"

	"retry/policy"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what was written with a file, or writes the file.
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

// plans lists the plans with a golden file in each format, and one with a text file only.
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

// The sleeps shown for a seed are those that the schedule draws.
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

// The formulas hold up to the last retry whose next sleep is below the cap, and no longer.
func TestAtHolds(t *testing.T) {
	capped := exponential(time.Second, 2, 8*time.Second, policy.Full{})
	for at, counted := range map[time.Duration]bool{
		0: false, time.Second: false, 7*time.Second - time.Microsecond: false, 7*time.Second + time.Microsecond: true, time.Hour: true,
	} {
		if a := NewAt(capped, at, 0); a.Counted != counted || (a.Holds-7*time.Second).Abs() > time.Microsecond {
			t.Errorf("%v: %+v", at, a)
		}
	}
	if at := NewAt(capped, 0, 0).Holds; NewAt(capped, at, 0).Counted || !NewAt(capped, at+1, 0).Counted {
		t.Errorf("the formulas don't hold until %v just then", at)
	}
	for name, s := range map[string]policy.Schedule{
		"constant at the cap": exponential(time.Second, 1, time.Second, policy.Full{}),
		"no cap":              exponential(time.Second, 2, 0, policy.Full{}), "constant": exponential(time.Second, 1, time.Minute, policy.Full{}),
		"shrinking": exponential(time.Second, 0.5, time.Minute, policy.Full{}),
	} {
		if a := NewAt(s, time.Second, 0); a.Counted || a.Holds != math.MaxInt64 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for name, s := range map[string]policy.Schedule{
		"cap below base": exponential(time.Second, 2, time.Millisecond, policy.Full{}),
		"linear":         {Backoff: policy.Linear(time.Second), Jitter: policy.None{}},
	} {
		if a := NewAt(s, time.Second, 0); !a.Counted || a.Holds != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// A retry that starts at exactly that time counts.
func TestAtCounts(t *testing.T) {
	linear := policy.Schedule{Backoff: policy.Linear(time.Second), Jitter: policy.None{}}
	for at, want := range map[time.Duration]At{
		time.Second:       {Retries: 1, Previous: time.Second, Next: 2 * time.Second},
		3*time.Second - 1: {Retries: 1, Previous: time.Second, Next: 2 * time.Second},
		3 * time.Second:   {Retries: 2, Previous: 2 * time.Second, Next: 3 * time.Second},
	} {
		want.Time, want.Counted = at, true
		if got := NewAt(linear, at, time.Minute); *got != want {
			t.Errorf("%v: %+v, not %+v", at, got, want)
		}
	}
}

// Before the first retry, only its time is shown, whatever the cap does to later ones.
func TestAtTheBeginning(t *testing.T) {
	for _, s := range []policy.Schedule{
		exponential(4*time.Second, 2, 0, policy.None{}), exponential(4*time.Second, 2, 8*time.Second, policy.None{}),
		{Backoff: policy.Linear(4 * time.Second), Jitter: policy.None{}},
	} {
		for _, at := range []time.Duration{0, 4*time.Second - 1} {
			a := NewAt(s, at, 0)
			if want := policy.FormatDuration(at) + " in, without jitter: before the first retry, in a sleep of 4s\n"; a.String() != want {
				t.Errorf("%v: %s", at, a)
			}
		}
	}
}

// The numbers in JSON are those in the text.
func TestAtJSON(t *testing.T) {
	plan := NewPlan(plans["never-settles"], nil)
	plan.At = NewAt(plan.Schedule, 1000*time.Second, 100*time.Second)
	var text bytes.Buffer
	if err := plan.JSON(&text); err != nil {
		t.Fatal(err)
	}
	var got struct {
		At struct {
			Time, Retries float64
			Before        float64 `json:"sleep_before"`
			After         float64 `json:"sleep_after"`
			Counted       bool
			Aim           struct {
				Sleep, Factor, Retries float64
				Times                  float64 `json:"times_as_many"`
				Thumb                  float64 `json:"rule_of_thumb"`
			}
		}
	}
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	a := got.At
	if a.Time != 1000 || math.Abs(a.Retries-9.967) > 0.001 || a.Before != 500.5 || a.After != 1001 || a.Counted {
		t.Errorf("%+v", a)
	}
	if a.Aim.Sleep != 100 || a.Aim.Factor != 1.099 || math.Abs(a.Aim.Retries-48.79) > 0.01 ||
		math.Abs(a.Aim.Times-a.Aim.Retries/a.Retries) > 1e-9 || math.Abs(a.Aim.Thumb-7.34) > 0.01 {
		t.Errorf("%+v", a.Aim)
	}
	for x, want := range map[float64]float64{1.5: 1.5, math.Inf(1): math.MaxFloat64, math.NaN(): math.MaxFloat64} {
		if got := finite(x); got != want {
			t.Errorf("%v: %v", x, got)
		}
	}
}

// The formulas and the counting agree if both are valid.
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

// What a plan says about its limits, sentence by sentence.
func TestPlanLimits(t *testing.T) {
	full := exponential(time.Second, 2, time.Minute, policy.Full{})
	none := exponential(time.Second, 2, time.Minute, policy.None{})
	for _, test := range []struct {
		plan Plan
		want []string
	}{
		{Plan{Schedule: full, Attempts: 10}, []string{"attempts        10\n", "longest sleeps  4m3s in total, plus", "\n10 attempts, sleeping at most 4m3s in total, 2m1s on average\n"}},
		{Plan{Schedule: none, Attempts: 3}, []string{"\n3 attempts, sleeping 3s in total\n"}},
		{Plan{Schedule: none, Attempts: 1}, []string{"longest sleeps  0s in total", "\n1 attempt, no retry\n"}},
		{Plan{Schedule: full, Attempts: 1, Stagger: 4 * time.Second}, []string{"longest sleeps  4s in total"}},
		{Plan{Schedule: none, Attempts: 3, Timeout: 5 * time.Second}, []string{"longest run     18s, if every attempt runs into its timeout of 5s\n"}},
		{Plan{Schedule: none, Attempts: 3, Timeout: 5 * time.Second, KillAfter: time.Second},
			[]string{"longest run     21s, if every attempt runs into its timeout of 5s plus --kill-after 1s\n"}},
		{Plan{Schedule: none, Attempts: 3, Timeout: 5 * time.Second, KillAfter: time.Second, Deadline: 10 * time.Second},
			[]string{"longest run     11s, if", "deadline        10s: all retries start before it, unless the attempts take long\n",
				"the run ends after 11s at the latest: the deadline plus --kill-after 1s\n"}},
		{Plan{Schedule: none, Attempts: 4, Deadline: 3 * time.Second}, []string{"deadline        3s: comes before retry 3\n", "4 attempts, sleeping 3s in total"}},
		{Plan{Schedule: none, Attempts: 4, Deadline: 7 * time.Second}, []string{"7s: all retries start before it"}},
		{Plan{Schedule: full, Attempts: 4, Deadline: 5 * time.Second}, []string{"5s: comes before retry 3 if every sleep is as long as possible\n"}},
		{Plan{Schedule: full, Deadline: 5 * time.Second},
			[]string{"5s: comes before retry 3 if every sleep is as long as possible, before retry 4 on average\n", "\nas many attempts as fit into 5s\n"}},
		{Plan{Schedule: none}, []string{"attempts         no limit\n", "from retry 7 on  each sleep is at least 1m, 1m on average, at most 1m\n", "\nattempts without limit\n"}},
		{Plan{Schedule: exponential(time.Second, 2, 0, policy.None{})}, []string{"later       the sleeps never level off\n"}},
	} {
		var text strings.Builder
		if err := NewPlan(test.plan, nil).Text(&text, 80, false, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%+v: no %q in\n%s", test.plan, want, text.String())
			}
		}
		if test.plan.Timeout == 0 && strings.Contains(text.String(), "longest run") || test.plan.KillAfter == 0 && strings.Contains(text.String(), "kill-after") {
			t.Errorf("%+v has neither a timeout nor a --kill-after:\n%s", test.plan, text.String())
		}
		if test.plan.Attempts > 0 && (strings.Contains(text.String(), "level off") || strings.Contains(text.String(), "from retry")) {
			t.Errorf("%+v: the schedule without end is not what is asked for:\n%s", test.plan, text.String())
		}
	}
}

// Without a retry there is only the stagger, from 0 to all of it.
func TestPlanOfOneAttempt(t *testing.T) {
	plan := NewPlan(Plan{Schedule: exponential(time.Second, 2, 0, policy.None{}), Attempts: 1, Stagger: 4 * time.Second}, nil)
	if got, want := plan.asleep(), (policy.Expectation{Mean: 2 * time.Second, Most: 4 * time.Second}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if text := plan.chart(false).Text(80, false); text != "" {
		t.Errorf("a chart of nothing: %s", text)
	}
	if svg := drawnSVG(t, plan.chart(false)); !strings.Contains(svg, ">nothing to draw</text>") || strings.Contains(svg, "class=\"frame\"") {
		t.Errorf("a picture of nothing: %s", svg)
	}
}

// A sum that overflows is the longest duration.
func TestSaturated(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	for _, test := range []struct {
		a, b time.Duration
		n    int
		want time.Duration
	}{
		{1, 2, 3, 7}, {longest, 0, 5, longest}, {longest - 6, 2, 3, longest}, {longest - 5, 2, 3, longest}, {longest, 1, 1, longest},
		{0, longest / 2, 2, longest - 1}, {0, longest, 2, longest}, {5, 1, 0, 5},
	} {
		if got := saturated(test.a, test.b, test.n); got != test.want {
			t.Errorf("%v + %d · %v is %v, not %v", test.a, test.n, test.b, got, test.want)
		}
	}
}

// A plan without a limit shows retries until the sleeps settle, within bounds; one with a deadline up to the first retry after it.
func TestPlanLength(t *testing.T) {
	for name, test := range map[string]struct {
		plan Plan
		want int
	}{
		"attempts":           {Plan{Schedule: exponential(time.Second, 2, time.Minute, policy.Full{}), Attempts: 4}, 3},
		"settles early":      {Plan{Schedule: exponential(time.Second, 2, time.Minute, policy.Full{})}, firstRetries},
		"settles late":       {Plan{Schedule: exponential(time.Second, 1.1, time.Minute, policy.Full{})}, 45},
		"settles very late":  {Plan{Schedule: exponential(time.Second, 1.001, time.Hour, policy.Full{})}, 10 * firstRetries},
		"never settles":      {Plan{Schedule: exponential(time.Second, 2, 0, policy.None{})}, firstRetries},
		"deadline":           {Plan{Schedule: exponential(time.Second, 2, time.Minute, policy.None{}), Deadline: 3 * time.Second}, 3},
		"deadline, stagger":  {Plan{Schedule: exponential(time.Second, 2, time.Minute, policy.None{}), Deadline: 3 * time.Second, Stagger: 2 * time.Second}, 2},
		"deadline, many":     {Plan{Schedule: exponential(time.Second, 1, 0, policy.None{}), Deadline: 100 * time.Second}, 101},
		"deadline, too many": {Plan{Schedule: exponential(time.Millisecond, 1, 0, policy.None{}), Deadline: 101 * time.Second}, mostRetries},
		"too many":           {Plan{Schedule: exponential(time.Millisecond, 1, 0, policy.None{}), Attempts: 2 * mostRetries}, mostRetries},
	} {
		if got := len(NewPlan(test.plan, nil).Retries); got != test.want {
			t.Errorf("%s: %d retries, not %d", name, got, test.want)
		}
	}
}

// With a seed, the drawn sleeps are in the table, the files and the picture; without one they are not.
func TestPlanShowsDrawnSleeps(t *testing.T) {
	seed := uint64(7)
	for _, s := range []*uint64{nil, &seed} {
		plan := NewPlan(plans["default"], s)
		var text, csv, svg strings.Builder
		if plan.Text(&text, 80, false, false) != nil || plan.CSV(&csv) != nil || plan.SVG(&svg, false) != nil {
			t.Fatal("it can't be written")
		}
		drawn := s != nil
		rows := strings.Split(strings.TrimSpace(csv.String()), "\n")
		if strings.HasSuffix(rows[0], ",drawn") != drawn || strings.Contains(text.String(), "drawn") != drawn ||
			strings.Contains(svg.String(), "drawn with the seed given") != drawn {
			t.Errorf("drawn %v: %s%s", drawn, text.String(), csv.String())
		}
		for i, d := range plan.Drawn {
			if !strings.HasSuffix(rows[i+1], ","+decimal(d)) || !strings.Contains(text.String(), policy.FormatDuration(d)+"\n") {
				t.Errorf("retry %d is not said to sleep %v", i+1, d)
			}
		}
	}
}

// A picture is well-formed XML whatever the numbers are, and every position is a number.
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
