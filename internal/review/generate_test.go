package review

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"retry/policy"
)

// A generator writes the lines of calls that meet outages of a known distribution.
type generator struct {
	Proposal
	draw func(*rand.Rand) float64 // the length of an outage in seconds
	rng  *rand.Rand
	old  bool // lines from before result lines described all attempts
	text bytes.Buffer
	n    int
}

func newGenerator(p Proposal, draw func(*rand.Rand) float64, seed uint64) *generator {
	return &generator{Proposal: p, draw: draw, rng: rand.New(rand.NewPCG(seed, 1))}
}

// fate is the fate of a call.
type fate struct {
	success           bool
	attempts          int
	down, up, elapsed float64 // up is negative if the outage was not outlived
}

// follow simulates the attempts of one call.
func (g *generator) follow(outage float64) fate {
	c := &course{Proposal: g.Proposal, sequence: g.Schedule.Start(g.rng), refit: g.rng, attempts: 1}
	f := fate{up: -1}
	for more := true; more; more = c.next() {
		f.attempts = c.attempts
		f.elapsed = c.at.Seconds() + g.Attempt.Seconds()
		if c.at.Seconds() >= outage {
			f.success, f.up = true, c.at.Seconds()
			return f
		}
		f.down = c.at.Seconds()
	}
	return f
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 7200))

// call writes the lines of a call.
func (g *generator) call(label string) {
	f := g.follow(g.draw(g.rng))
	g.n++
	began := epoch.Add(time.Duration(g.n) * time.Minute)
	line := func(at float64, event string) {
		fmt.Fprintf(&g.text, `{"v":1,"call":"%016x","label":"%s","time":"%s","event":%s`+"}\n", g.n, label,
			began.Add(seconds(at)).Format(time.RFC3339Nano), event)
	}
	line(0, `"start","max_attempts":10`)
	attempt := func(n int, at float64, verdict, reason string) {
		line(at+g.Attempt.Seconds(), fmt.Sprintf(`"attempt","attempt":%d,"start":"%s","duration":%v,"status":7,"end":"exit","verdict":"%s","reason":"%s"`,
			n, began.Add(seconds(at)).Format(time.RFC3339Nano), g.Attempt.Seconds(), verdict, reason))
	}
	failures := f.attempts
	if f.success {
		failures--
	}
	for n := range failures {
		at := f.down // the time of every attempt but the first, which does not matter
		if n == 0 {
			at = 0
		}
		attempt(n+1, at, "retry", "exit status 7")
	}
	reason := `,"reason":"giving up after 3 attempts in 2s: exit status 7","cause":"attempts"`
	if f.success {
		attempt(f.attempts, f.up, "success", "exit status 0")
		reason = ""
	}
	ran := float64(f.attempts) * g.Attempt.Seconds()
	result := fmt.Sprintf(`"result","success":%v,"status":0%s,"attempts":%d,"ran":%.9f,"slept":%.9f`,
		f.success, reason, f.attempts, ran, f.elapsed-ran)
	if !g.old {
		result += fmt.Sprintf(`,"elapsed":%.9f,"schedule":"-n 10"`, f.elapsed)
		if failures > 0 {
			result += fmt.Sprintf(`,"failed":%.9f,"down":%.9f,"failures":{"exit status 7":%d}`,
				float64(failures)*g.Attempt.Seconds(), f.down, failures)
		} else {
			result += `,"failures":{}`
		}
		if failures > 0 && f.success {
			result += fmt.Sprintf(`,"up":%.9f`, f.up)
		}
	}
	line(f.elapsed, result)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// The distributions.
func exponential(mean float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return mean * rng.ExpFloat64() }
}

func logNormal(median, sigma float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return median * math.Exp(sigma*rng.NormFloat64()) }
}

// mixture draws mostly outages of some seconds, and now and then a restart of minutes.
func mixture(rng *rand.Rand) float64 {
	if rng.Float64() < 0.7 {
		return logNormal(4, 0.5)(rng)
	}
	return logNormal(200, 0.4)(rng)
}

var distributions = []struct {
	name string
	draw func(*rand.Rand) float64
	cdf  func(float64) float64
}{
	{"exponential", exponential(60), func(t float64) float64 { return 1 - math.Exp(-t/60) }},
	{"log-normal", logNormal(30, 1), func(t float64) float64 { return logNormalCDF(t, 30, 1) }},
	{"mixture", mixture, func(t float64) float64 { return 0.7*logNormalCDF(t, 4, 0.5) + 0.3*logNormalCDF(t, 200, 0.4) }},
}

func logNormalCDF(t, median, sigma float64) float64 {
	return math.Erfc(-math.Log(t/median)/(sigma*math.Sqrt2)) / 2
}

// exponentialSchedule is retry's default schedule with other parameters.
func exponentialSchedule(base, cap time.Duration) policy.Schedule {
	return policy.Schedule{Backoff: policy.Exponential{Base: base, Factor: 2}, Jitter: policy.Full{}, Cap: cap}
}
