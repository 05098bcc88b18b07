package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"retry/internal/review"
	"retry/policy"
)

// remissions returns the trial of 6-mercaptopurine as report lines, with a second for each week: a patient whose remission ended
// is a call that succeeded. See the test of the estimator.
func remissions() string {
	var text strings.Builder
	line := func(i int, seconds float64, result string) {
		fmt.Fprintf(&text, `{"v":1,"call":"%d","label":"6-MP","time":"1963-04-%02dT00:00:00Z","event":"result",%s,`+
			`"attempts":2,"ran":0,"slept":%v,"elapsed":%v,"failures":{"exit status 1":1},"schedule":"--delay 5s -n 8"}`+"\n",
			i, i%28+1, result, seconds, seconds)
	}
	for i, weeks := range []float64{6, 6, 6, 7, 10, 13, 16, 22, 23} {
		line(i, weeks, fmt.Sprintf(`"success":true,"down":%v,"up":%v`, weeks, weeks))
	}
	for i, weeks := range []float64{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35} {
		line(100+i, weeks, fmt.Sprintf(`"success":false,"reason":"giving up after 2 attempts in 1s: exit status 1","cause":"attempts","down":%v`, weeks))
	}
	return strings.ReplaceAll(text.String(), "1963-", "2026-")
}

// outagesOf returns calls of two labels. Every third meets an outage of 1, 2, 4, ... seconds, which retrying every second outlives
// if it is shorter than 20 seconds.
func outagesOf() string {
	var text strings.Builder
	for i := range 600 {
		label, seconds := []string{"fetch", "push"}[i%2], math.Pow(1.7, float64(i%15)/2)
		result := `"success":true,"attempts":1,"ran":0.5,"slept":0,"elapsed":0.5,"failures":{}`
		if i%3 == 0 && seconds < 20 {
			last := math.Ceil(seconds)
			result = fmt.Sprintf(`"success":true,"attempts":%v,"ran":1,"slept":%v,"elapsed":%v,"failed":1,"down":%v,"up":%v,"failures":{"exit status 7":%v}`,
				last+1, last, last+1, last-1, last, last)
		} else if i%3 == 0 {
			result = `"success":false,"cause":"deadline","attempts":20,"ran":1,"slept":19,"elapsed":20,"failed":20,"down":19,"failures":{"exit status 22":20}`
		}
		fmt.Fprintf(&text, `{"v":1,"call":"%d","label":"%s","time":"2026-03-%02dT00:00:00Z","event":"result",%s,"schedule":"--delay 1s --deadline 20s"}`+"\n",
			i, label, i%28+1, result)
	}
	return text.String() + `{"v":1,"call":"x","label":"push","event":"start"}` + "\nsomething else\n"
}

func reviewOf(t *testing.T, text string) *Review {
	t.Helper()
	r := review.New()
	if err := r.Read(strings.NewReader(text), func(int64) bool { return true }); err != nil {
		t.Fatal(err)
	}
	r.Close()
	candidates := []review.Candidate{{
		Name: "--delay 5s -n 8", Short: "--delay 5s",
		Proposal: review.Proposal{Schedule: policy.Schedule{Backoff: policy.Constant(5 * time.Second), Jitter: policy.None{}}, Attempts: 8},
	}, {
		Name: "--base 2s --cap 5m -n 6", Short: "--base 2s --cap 5m",
		Proposal: review.Proposal{Schedule: exponential(2*time.Second, 2, 5*time.Minute, policy.Full{}), Attempts: 6},
	}}
	page := &Review{Command: "retry --review log", Lines: r, All: r.All.Find(candidates), AutoAxis: true, Complete: true}
	if groups := r.Labels(); len(groups) > 1 {
		for _, g := range groups {
			page.Labels = append(page.Labels, g.Find(candidates))
		}
	}
	return page
}

func TestReviewGolden(t *testing.T) {
	for name, text := range map[string]string{"review-remissions": remissions(), "review": outagesOf(), "review-empty": ""} {
		r := reviewOf(t, text)
		golden(t, name+".txt", func(out io.Writer) error { return r.Text(out, 0, false, false) })
		golden(t, name+".csv", r.CSV)
		if name != "review" { // its curves are long
			golden(t, name+".json", r.JSON)
		}
		golden(t, name+".svg", func(out io.Writer) error { return r.SVG(out, false) })
	}
	r := reviewOf(t, outagesOf())
	r.Complete, r.AutoAxis = false, false
	golden(t, "review-interrupted.txt", func(out io.Writer) error { return r.Text(out, 60, true, true) })
}

// The picture has what a reader needs: the question, the axes, the band, and both schedules.
func TestReviewPicture(t *testing.T) {
	var text strings.Builder
	if err := reviewOf(t, outagesOf()).SVG(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"How long do outages last?", "still failing", "time since the first failure", "95 % confidence",
		"--delay 5s -n 8: outlives", "--base 2s --cap 5m -n 6: outlives", "retry --review log",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(text.String())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// The results of calls, as fields of report lines.
const (
	atOnce = `"success":true,"attempts":1,"ran":0.5,"slept":0,"elapsed":0.5,"failures":{}`
	later  = `"success":true,"attempts":2,"ran":0,"slept":1,"elapsed":1,"failures":{"exit status 7":1},"down":0.9,"up":1`
	gaveUp = `"success":false,"cause":"attempts","attempts":2,"ran":0,"slept":1,"elapsed":1,"failures":{"exit status 7":2},"down":1`
)

// ended returns the report lines of calls with these results.
func ended(ends ...string) string {
	var text strings.Builder
	for i, end := range ends {
		fmt.Fprintf(&text, `{"v":1,"call":"%d","label":"x","time":"2026-03-01T00:00:00Z","event":"result",%s}`+"\n", i, end)
	}
	return text.String()
}

// failing returns the result of a call that gave up for a reason after two attempts.
func failing(reason string) string { return strings.ReplaceAll(gaveUp, "exit status 7", reason) }

// A page shows what is known, and nothing about what did not happen.
func TestReviewText(t *testing.T) {
	const perCall, over = "until success", "\nover: "
	const lost, longest, more = "calls that failed anyway", "the longest", " not shown)\n"
	reasons := func(n int) (ends []string) {
		for i := range n {
			ends = append(ends, failing(fmt.Sprint("reason ", i)))
		}
		return ends
	}
	for name, test := range map[string]struct {
		lines      string
		want, lack []string
	}{
		"one call, and one without an end": {ended(atOnce) + `{"v":1,"call":"x","label":"x","event":"start"}` + "\n",
			[]string{"1 call, ", "succeeded at once                1   100 %\n", "without an end                   1 "}, []string{"outage"}},
		"nothing failed":     {ended(atOnce, atOnce), []string{perCall}, []string{lost, over, "outage"}},
		"everything failed":  {ended(gaveUp, gaveUp), []string{"\n2 outages", lost}, []string{perCall, over}},
		"as many as not":     {ended(later, gaveUp), []string{"\n2 outages", "1 not seen to end", over, lost, perCall}, nil},
		"one of few unended": {ended(slices.Concat(slices.Repeat([]string{later}, 50), []string{gaveUp})...), []string{longest + " 2 %"}, nil},
		"one of many unended": {ended(slices.Concat(slices.Repeat([]string{later}, 300), []string{gaveUp})...),
			[]string{"301 outages", "1 not seen to end", "99 % within"}, []string{longest}},
		"as many reasons as are shown": {ended(reasons(shownReasons)...), []string{"  reason 7\n"}, []string{more}},
		"one reason more":              {ended(reasons(shownReasons + 1)...), []string{"  reason 7\n", "(1 reason not shown)\n"}, []string{"  reason 8\n"}},
	} {
		var out strings.Builder
		if err := reviewOf(t, test.lines).Text(&out, 0, false, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, out.String())
			}
		}
		for _, lack := range test.lack {
			if strings.Contains(out.String(), lack) {
				t.Errorf("%s: %q in\n%s", name, lack, out.String())
			}
		}
	}
}

// The answer on the picture is the median and the time by which nearly all outages are over, as far as the data can tell.
func TestReviewAnswer(t *testing.T) {
	for _, test := range []struct {
		ends []string
		want string
	}{
		{[]string{atOnce}, "none was seen"},
		{[]string{later, gaveUp, gaveUp}, "the data can't tell: most calls gave up before the end"},
		{[]string{later, gaveUp}, "half of them are over after 1s"},
		{[]string{later, later, later}, "half of them are over after 960ms, 95 % after 1s"},
	} {
		if got := reviewOf(t, ended(test.ends...)).answer(); got != test.want {
			t.Errorf("%q, not %q", got, test.want)
		}
	}
}

// The attempts of a schedule are drawn up to the end of the data.
func TestReviewDots(t *testing.T) {
	r := reviewOf(t, ended(later, later, gaveUp))
	r.AutoAxis = false
	known := r.All.Curve.Known
	r.All.Laid[0].Starts = []float64{0, known / 2, known, 1.01 * known}
	var at []float64
	for _, p := range r.chart(false).Panels[0].Series[1].Points {
		at = append(at, p.X)
	}
	if !slices.Equal(at, []float64{0, known / 2, known}) {
		t.Errorf("attempts at %v, though the data end at %v", at, known)
	}
}

// A schedule without limits has no last attempt.
func TestReach(t *testing.T) {
	for p, want := range map[review.Proposal]string{{}: "never", {Attempts: 3}: "10s", {Deadline: time.Minute}: "10s"} {
		laid := review.Laid{Candidate: review.Candidate{Proposal: p}, Prediction: review.Prediction{Reach: 10}}
		if got := reach(laid); got != want {
			t.Errorf("%+v: %s, not %s", p, got, want)
		}
	}
}

// A reason against which no retry has helped is named; one that was never retried is not, nor one of only a few calls.
func TestHopelessReasons(t *testing.T) {
	repeated := func(end string, n int) []string { return slices.Repeat([]string{end}, n) }
	lines := ended(slices.Concat(
		repeated(failing("exit status 22"), 10), repeated(failing("exit status 6"), 5), repeated(failing("exit status 5"), 4),
		repeated(`"success":false,"attempts":1,"ran":1,"slept":0,"failures":{"exit status 2":1}`, 10), repeated(later, 10),
	)...)
	if got := fmt.Sprint(hopelessReasons(reviewOf(t, lines).All)); got != "[exit status 22 exit status 6]" {
		t.Errorf("no retry helped against %s", got)
	}
	var many []string
	for i := range shownReasons + 1 {
		many = append(many, repeated(failing(fmt.Sprint("exit status ", i+1)), 5)...)
	}
	if got := hopelessReasons(reviewOf(t, ended(many...)).All); len(got) != shownReasons {
		t.Errorf("%d hopeless reasons: %q", len(got), got)
	}
}

// The option names each status once, and stands alone if the reasons have no status.
func TestStopping(t *testing.T) {
	for want, reasons := range map[string][]string{
		"--stop-if 22,6": {"exit status 22", "timed out", "exit status 6", "exit status 22, output matched x"}, "--stop-if": {"timed out"},
	} {
		if got := stopping(reasons); got != want {
			t.Errorf("%q: %q, not %q", reasons, got, want)
		}
	}
}

func TestPercentage(t *testing.T) {
	for part, want := range map[float64]string{
		0: "0 %", 1: "100 %", 0.5: "50 %", 0.0001: "0.1 %", 0.004: "0.4 %", 0.9999: "99.9 %", 0.994: "99.4 %", 0.99: "99 %", 0.01: "1 %",
	} {
		if got := percentage(part); got != want {
			t.Errorf("%v is %s, want %s", part, got, want)
		}
	}
}
