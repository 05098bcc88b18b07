package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"retry/internal/review"
	"retry/policy"
)

// remissions is the trial of 6-mercaptopurine as report lines, with a week for a second: a patient whose remission was seen to
// end is a call that succeeded. See the test of the estimator.
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

// outagesOf is calls of two labels: every third meets an outage of 1, 2, 4, ... seconds, which polling every second outlives if
// it is shorter than 20.
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
		if name != "review" { // whose curves are long
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

// A reason against which retries were made and none helped is named; one that was never retried is not.
func TestHopelessReasons(t *testing.T) {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, `{"v":1,"call":"a%d","label":"x","event":"result","success":false,"attempts":3,"ran":1,"slept":1,"failures":{"exit status 22":3}}`+"\n", i)
		fmt.Fprintf(&text, `{"v":1,"call":"b%d","label":"x","event":"result","success":false,"attempts":1,"ran":1,"slept":0,"failures":{"exit status 2":1}}`+"\n", i)
		fmt.Fprintf(&text, `{"v":1,"call":"c%d","label":"x","event":"result","success":true,"attempts":2,"ran":1,"slept":1,"failures":{"exit status 7":1}}`+"\n", i)
	}
	if got := fmt.Sprint(hopelessReasons(reviewOf(t, text.String()).All)); got != "[exit status 22]" {
		t.Errorf("no retry helped against %s", got)
	}
}

func TestPercentage(t *testing.T) {
	for part, want := range map[float64]string{
		0: "0 %", 1: "100 %", 0.5: "50 %", 0.0001: "0.1 %", 0.004: "0.4 %", 0.9999: "99.9 %", 0.994: "99.4 %", 0.99: "99 %",
	} {
		if got := percentage(part); got != want {
			t.Errorf("%v is %s, want %s", part, got, want)
		}
	}
}
