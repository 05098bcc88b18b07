package review

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"retry/policy"
)

func read(t *testing.T, texts ...[]byte) *Review {
	t.Helper()
	r := New()
	for _, text := range texts {
		if err := r.Read(bytes.NewReader(text), func(int64) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	r.Close()
	return r
}

// curve returns the curve of all outages.
func (r *Review) curve() *Curve { return r.All.Outages.Curve() }

// The curve is close to the one that the outages were drawn from, although a call only knows between which attempts an outage
// ended, and many give up earlier.
func TestCurveAgainstTruth(t *testing.T) {
	t.Parallel()
	used := []struct {
		name string
		Proposal
	}{ // the constant schedule checks every 6s, and knows nothing about the times in between
		{"jitter", Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 12, Attempt: time.Second}},
		{"deadline", Proposal{Schedule: exponentialSchedule(time.Second, 20*time.Second), Deadline: 2 * time.Minute, Attempt: 500 * time.Millisecond}},
		{"constant", Proposal{Schedule: policy.Schedule{Backoff: policy.Constant(5 * time.Second), Jitter: policy.None{}}, Attempts: 30, Attempt: time.Second}},
	}
	for _, d := range distributions {
		for _, u := range used {
			for _, old := range []bool{false, true} {
				g := newGenerator(u.Proposal, d.draw, 7)
				g.old = old
				for range 4000 {
					g.call("fetch")
				}
				c := read(t, g.text.Bytes()).curve()
				worst, at := 0.0, 0.0
				for s := 6.0; s < min(400, c.Known); s += 6 {
					if off := math.Abs(c.Outlived(s) - d.cdf(s)); off > worst {
						worst, at = off, s
					}
				}
				t.Logf("%s, %s: %d ended, %d censored, at most %.3f off, at %.0fs", d.name, u.name, c.Ended, c.Censored, worst, at)
				if worst > 0.03 {
					t.Errorf("%s, %s: %.3f off at %.0fs", d.name, u.name, worst, at)
				}
			}
		}
	}
}

// The prediction from one half of a log for another schedule agrees with what that schedule does in the other half.
func TestPredictionOutOfSample(t *testing.T) {
	t.Parallel()
	used := Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 12, Attempt: time.Second}
	others := map[string]Proposal{
		"--base 2s --cap 5m -n 8":        {Schedule: exponentialSchedule(2*time.Second, 5*time.Minute), Attempts: 8},
		"-n 4":                           {Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 4},
		"--deadline 90s":                 {Schedule: exponentialSchedule(time.Second, time.Minute), Deadline: 90 * time.Second},
		"--delay 10s -n 7":               {Schedule: policy.Schedule{Backoff: policy.Constant(10 * time.Second), Jitter: policy.None{}}, Attempts: 7},
		"--jitter equal --cap 30s -n 10": {Schedule: policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Equal{}, Cap: 30 * time.Second}, Attempts: 10},
	}
	const calls = 10_000
	for _, d := range distributions {
		g := newGenerator(used, d.draw, 11)
		for range calls {
			g.call("fetch")
		}
		r := read(t, g.text.Bytes())
		c := r.curve()
		for name, other := range others {
			other.Attempt = used.Attempt
			p := c.Predict(other)
			replay, rng := newGenerator(other, d.draw, 13), rand.New(rand.NewPCG(17, 1))
			outlived, attempts, late := 0, 0, 0.0
			for range calls {
				outage := d.draw(rng)
				f := replay.follow(outage)
				attempts += f.attempts
				if f.success {
					outlived++
					late += f.up - outage
				}
			}
			part, tries, lateness := float64(outlived)/calls, float64(attempts)/calls, late/float64(outlived)
			t.Logf("%s, %s: outlived %.3f (replay %.3f), attempts %.2f (%.2f), late %.1fs (%.1fs)",
				d.name, name, p.Outlived, part, p.Attempts, tries, p.Late, lateness)
			if math.Abs(p.Outlived-part) > 0.03 {
				t.Errorf("%s, %s: outlived %.3f of the outages, the replay %.3f", d.name, name, p.Outlived, part)
			}
			if math.Abs(p.Attempts-tries) > 0.05*tries+0.1 {
				t.Errorf("%s, %s: %.2f attempts, the replay %.2f", d.name, name, p.Attempts, tries)
			}
			if math.Abs(p.Late-lateness) > 0.1*lateness+0.5 {
				t.Errorf("%s, %s: %.1fs late, the replay %.1fs", d.name, name, p.Late, lateness)
			}
		}
	}
}

// The shortest deadline and the smallest number of attempts outlive the share they should, and slightly lower ones don't.
func TestLeastThatOutlives(t *testing.T) {
	used := Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 25, Attempt: time.Second}
	g := newGenerator(used, exponential(60), 3)
	for range 5000 {
		g.call("fetch")
	}
	c := read(t, g.text.Bytes()).curve()
	for _, part := range []float64{0.5, 0.95, 0.99} {
		n, ok := c.LeastAttempts(used, part)
		if !ok {
			t.Fatalf("no number of attempts outlives %v", part)
		}
		enough, less := used, used
		enough.Attempts, less.Attempts = n, n-1
		if a, b := c.Predict(enough).Outlived, c.Predict(less).Outlived; a < part-0.01 || b > part+0.01 {
			t.Errorf("%d attempts outlive %.3f, one less %.3f; want %v between", n, a, b, part)
		}
		d, ok := c.LeastDeadline(used, part)
		if !ok {
			t.Fatalf("no deadline outlives %v", part)
		}
		enough.Attempts, enough.Deadline = 0, d
		less = enough
		less.Deadline = d * 95 / 100
		if a, b := c.Predict(enough).Outlived, c.Predict(less).Outlived; a < part || b > part {
			t.Errorf("--deadline %v outlives %.3f, a little less %.3f; want %v between", d, a, b, part)
		}
		t.Logf("%v: -n %d, --deadline %v", part, n, d)
	}
	short := used
	short.Attempts = 3
	g = newGenerator(short, exponential(600), 3)
	for range 1000 {
		g.call("fetch")
	}
	c = read(t, g.text.Bytes()).curve()
	_, ok := c.LeastDeadline(used, 0.95)
	if _, also := c.LeastAttempts(used, 0.95); ok || also {
		t.Error("calls that give up after seconds tell how to outlive minutes")
	}
	if p := c.Predict(used); p.Unknown < 0.5 {
		t.Errorf("they tell that %.2f are outlived", p.Outlived)
	}
}
