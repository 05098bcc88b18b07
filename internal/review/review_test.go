package review

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"retry/runner"
)

// log returns the lines of some calls with two labels, in the order in which they were written.
func log(t testing.TB, calls int, old bool) []string {
	t.Helper()
	g := newGenerator(Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 7, Attempt: time.Second}, often, 5)
	g.old = old
	for i := range calls {
		g.call([]string{"fetch", "push"}[i%2])
	}
	return strings.SplitAfter(strings.TrimSuffix(g.text.String(), "\n"), "\n")
}

// often draws the length of an outage, which is 0 for every other call.
func often(rng *rand.Rand) float64 {
	if rng.IntN(2) == 0 {
		return 0
	}
	return mixture(rng)
}

func readLines(t *testing.T, lines []string) *Review {
	t.Helper()
	return read(t, []byte(strings.Join(lines, "")))
}

// Neither the order of the lines matters, nor whether a result line describes all attempts.
func TestAnyOrder(t *testing.T) {
	for _, old := range []bool{false, true} {
		lines := log(t, 500, old)
		want := readLines(t, lines)
		if want.All.Calls != 500 || want.All.Failed() == 0 || want.All.First == 0 || want.All.Later == 0 || want.All.Outages.count == 0 {
			t.Fatal(summary(want))
		}
		for seed := range uint64(5) {
			shuffled := append([]string(nil), lines...)
			shuffled[len(shuffled)-1] += "\n"
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			got := readLines(t, shuffled)
			if a, b := summary(got), summary(want); a != b {
				t.Fatalf("old %v: in another order\n%s\nwant\n%s", old, a, b)
			}
			if got.calls.places != nil {
				t.Error("calls are followed after the end")
			}
		}
	}
	a, b := readLines(t, log(t, 500, false)), readLines(t, log(t, 500, true))
	if summary(a) != summary(b) {
		t.Errorf("lines that tell of all attempts say\n%s\nothers\n%s", summary(a), summary(b))
	}
}

// summary formats the findings of a review, without sums that depend on the order of the lines.
func summary(r *Review) string {
	g := r.All
	reason := *g.Reasons["exit status 7"]
	return fmt.Sprintf("%d calls, %d first, %d later, %v given up, %d unended, %d attempts, %d failed, %.3fs asleep, %.3fs failed, %.3fs lost, "+
		"%v, %d intervals of %d, %v censored, %.3f late, %d %d %d %d %d %d", g.Calls, g.First, g.Later, g.GivenUp, g.Unended, g.Attempts, g.FailedAttempts,
		g.Asleep, g.FailedTime, g.LostTime, reason, len(g.Outages.ended), g.Outages.count, g.Outages.censored.total, g.Late,
		r.Lines, r.Torn, r.Foreign, r.Newer, r.Incomplete, r.Jumped)
}

// A file with only the results gives the same calls and outages.
func TestResultLinesAreEnough(t *testing.T) {
	lines := log(t, 500, false)
	want := readLines(t, lines)
	var results []string
	for _, text := range lines {
		if strings.Contains(text, `"event":"result"`) {
			results = append(results, text)
		}
	}
	got := readLines(t, results)
	got.Lines = want.Lines
	if a, b := summary(got), summary(want); a != b {
		t.Errorf("result lines say\n%s\nall lines\n%s", a, b)
	}
}

func TestOddLines(t *testing.T) {
	lines := log(t, 50, false)
	want := readLines(t, lines)
	lines[len(lines)-1] += "\n"
	odd := append([]string{
		"make: *** [all] Error 1\n", "\n", `{"level":"info"}` + "\n", "{\n", strings.Repeat("x", 3*mostLine) + "\n",
		`{"v":2,"call":"a","label":"new","event":"result","success":"perhaps"}` + "\n",
		`{"v":2,"call":"a","label":"new","event":"result"}` + "\n",
		`{"v":1,"call":"fe","lab` + lines[0],
	}, lines[1:]...)
	odd = append(odd, `{"v":1,"call":"ff","label":"fetch","time":"2026-`)
	r := readLines(t, odd)
	if r.Foreign != 4 || r.Newer != 2 || r.Torn != 2 {
		t.Errorf("%d foreign, %d newer, %d torn; want 4, 2, 2", r.Foreign, r.Newer, r.Torn)
	}
	r.Lines, r.Foreign, r.Newer, r.Torn = want.Lines, 0, 0, 0
	if a, b := summary(r), summary(want); a != b {
		t.Errorf("with odd lines\n%s\nwant\n%s", a, b)
	}
}

// A call without an end is counted, with an outage that lasted as long as is known.
func TestUnendedCalls(t *testing.T) {
	const call = `{"v":1,"call":"%s","label":"fetch","time":"2026-03-01T12:00:00Z","event":%s` + "\n"
	const attempt = `"attempt","attempt":1,"start":"2026-03-01T12:%02d:00Z","duration":1,"verdict":"retry","reason":"exit status 7"}`
	r := readLines(t, []string{
		fmt.Sprintf(call, "a", `"start"}`),
		fmt.Sprintf(call, "b", `"start"}`),
		fmt.Sprintf(call, "b", fmt.Sprintf(attempt, 1)),
		fmt.Sprintf(call, "b", fmt.Sprintf(attempt, 3)),
		fmt.Sprintf(call, "c", `"result","success":true,"attempts":2,"ran":2,"slept":0}`), // its attempts are lost
	})
	g := r.All
	if g.Unended != 2 || g.Calls != 1 || r.Incomplete != 1 || g.Outages.count != 0 || g.Outages.censored.total != 1 || g.Outages.censored.most != 120 {
		t.Errorf("%d unended, %d incomplete, %+v", g.Unended, r.Incomplete, g.Outages)
	}
}

// A clock that was set during a call does not produce an outage. Lines that describe all attempts don't depend on the clock.
func TestClockThatJumped(t *testing.T) {
	for _, old := range []bool{false, true} {
		g := newGenerator(Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 9, Attempt: time.Second},
			func(*rand.Rand) float64 { return 3 }, 5)
		g.old = old
		g.call("fetch")
		text := bytes.Replace(g.text.Bytes(), []byte(`"attempt":1,"start":"2026`), []byte(`"attempt":1,"start":"2025`), 1)
		r := read(t, text)
		jumped, outages := 0, 1
		if old {
			jumped, outages = 1, 0
		}
		if r.Jumped != jumped || r.All.Outages.count != outages || r.All.Later != 1 {
			t.Errorf("old %v: %d jumped, %d outages, %d later", old, r.Jumped, r.All.Outages.count, r.All.Later)
		}
	}
}

// Calls without an end take a bounded amount of memory, however many there are.
func TestOpenCallsAreBounded(t *testing.T) {
	var text bytes.Buffer
	for i := range mostCalls + 10 {
		fmt.Fprintf(&text, `{"v":1,"call":"%x","label":"fetch","event":"start"}`+"\n", i)
	}
	r := read(t, text.Bytes())
	if r.Dropped != 10 || r.All.Unended != mostCalls {
		t.Errorf("%d dropped, %d unended", r.Dropped, r.All.Unended)
	}
}

func TestChosenLines(t *testing.T) {
	text := []byte(strings.Join(log(t, 100, false), ""))
	for _, test := range []struct {
		only  string
		since time.Time
		calls int
	}{
		{"", time.Time{}, 100}, {"push", time.Time{}, 50}, {"other", time.Time{}, 0}, {"", epoch.Add(90 * time.Minute), 11}, {"", epoch.AddDate(1, 0, 0), 0},
	} {
		r := New()
		r.Only, r.Since = test.only, test.since
		if err := r.Read(bytes.NewReader(text), func(int64) bool { return true }); err != nil {
			t.Fatal(err)
		}
		r.Close()
		if r.All.Calls != test.calls {
			t.Errorf("label %q since %v: %d calls, want %d", test.only, test.since, r.All.Calls, test.calls)
		}
	}
}

// A reader that returns a byte at a time, an end within a line, and an early stop.
func TestPieces(t *testing.T) {
	lines := log(t, 20, false)
	text, want := strings.Join(lines, ""), readLines(t, lines)
	r := New()
	if err := r.Read(oneByte{strings.NewReader(text)}, func(int64) bool { return true }); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if summary(r) != summary(want) {
		t.Errorf("byte by byte\n%s\nwant\n%s", summary(r), summary(want))
	}
	r = New()
	if err := r.Read(oneByte{strings.NewReader(text)}, func(read int64) bool { return read < 1000 }); err != nil || r.Lines > 10 {
		t.Errorf("%d lines after a stop: %v", r.Lines, err)
	}
}

type oneByte struct{ *strings.Reader }

func (r oneByte) Read(b []byte) (int, error) { return r.Reader.Read(b[:1]) }

// For lines without a cause, the cause is derived from the reason.
func TestCauses(t *testing.T) {
	for reason, want := range map[string]runner.Cause{
		"giving up after 10 attempts in 2m3s: exit status 22":                                             runner.AttemptsUsedUp,
		"giving up after 2 attempts in 3s: the deadline of 5s leaves no time for another: exit status 7":  runner.DeadlineReached,
		"giving up after 2 attempts in 5s: the deadline of 5s passed during the attempt":                  runner.DeadlineReached,
		"giving up after 2 attempts in 3s: the retry budget x is used up: exit status 7":                  runner.BudgetUsedUp,
		"giving up after 1 attempt in 3s: the server asked for 2h, which is over --retry-after-max 1h: x": runner.ServerAskedTooMuch,
		"not retrying: exit status 2 matches --stop-if code:2":                                            runner.PermanentFailure,
		"not retrying: SIGTERM received":                                                                  runner.RunInterrupted,
		"not retrying: nobody reads standard output any more":                                             runner.RunInterrupted,
		"not retrying: RETRY_DISABLE is set: exit status 1":                                               runner.RetryDisabled,
		"not retrying: standard input was consumed; --stdin replay would give it to each attempt: exit 1": runner.InputConsumed,
		"not retrying: --before-retry: exit status 1: exit status 7":                                      runner.RetryRefused,
		"the deadline of 5s passed before the first attempt":                                              runner.DeadlineReached,
		"write report: no space left on device":                                                           runner.RunFailed,
	} {
		l := &line{reason: []byte(reason)}
		if got := l.causeOf(); got != want {
			t.Errorf("%s: %v, want %v", reason, got, want)
		}
	}
	for c := runner.NoCause + 1; c < runner.CauseCount; c++ {
		if got := (&line{cause: []byte(c.String()), reason: []byte("else")}).causeOf(); got != c {
			t.Errorf("cause %v is read as %v", c, got)
		}
	}
}

// Quantiles are as accurate as documented.
func TestHistogramQuantiles(t *testing.T) {
	var h Histogram
	rng := rand.New(rand.NewPCG(1, 1))
	var values []float64
	for range 10001 {
		v := logNormal(30, 2)(rng)
		values = append(values, v)
		h.Add(v)
	}
	slices.Sort(values)
	for _, part := range []float64{0.01, 0.5, 0.95, 0.999, 1} {
		want := values[min(len(values)-1, int(part*float64(len(values))))]
		if got := h.Quantile(part); got < want*0.985 || got > want*1.015 {
			t.Errorf("the quantile %v is %v, want %v", part, got, want)
		}
	}
	var whole Histogram
	for n := range 100 {
		whole.Add(float64(n + 1))
	}
	for n := range 100 {
		if got := whole.Whole(float64(n+1) / 100); got != n+1 {
			t.Errorf("the quantile of %d %% is %d, want %d", n+1, got, n+1)
		}
	}
	if h.Most() != values[len(values)-1] || new(Histogram).Quantile(0.5) != 0 {
		t.Error("the greatest is not exact, or nothing has a quantile")
	}
}

// Reading more lines of the same labels takes no more memory.
func TestReadAllocatesNothingPerLine(t *testing.T) {
	for _, old := range []bool{false, true} {
		text := []byte(strings.Join(log(t, 2000, old), ""))
		r := New()
		readAll := func() {
			if err := r.Read(bytes.NewReader(text), func(int64) bool { return true }); err != nil {
				t.Fatal(err)
			}
		}
		readAll()
		if got := testing.AllocsPerRun(5, readAll); got > 20 {
			t.Errorf("old %v: %v allocations for %d lines", old, got, bytes.Count(text, []byte("\n")))
		}
	}
}

// FuzzReview reads anything, in pieces of any size, and must not crash.
func FuzzReview(f *testing.F) {
	for _, text := range exampleLines {
		f.Add([]byte(text), int64(3))
	}
	const result = `{"v":1,"call":"a","label":"x","event":"result","success":true,"attempts":2,"ran":%v,"slept":1,"failed":%v,"down":%v,"up":%v,"failures":{"y":%v}}`
	for _, x := range []any{0, 1e-300, 1e300, 2147483647} {
		f.Add(fmt.Appendf(nil, result, x, x, 0, x, 1), int64(1))
		f.Add(fmt.Appendf(nil, result, x, x, x, 0, x), int64(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, piece int64) {
		r := New()
		if err := r.Read(&pieces{text, int(min(max(1, piece), 1000))}, func(int64) bool { return true }); err != nil {
			t.Fatal(err)
		}
		r.Close()
		found := r.All.Find([]Candidate{
			{Proposal: Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Attempts: 5}},
			{Proposal: Proposal{Schedule: exponentialSchedule(time.Second, time.Minute), Deadline: time.Hour}},
		})
		before := 1.0
		for _, p := range found.Curve.Points {
			if !(p.Survival <= before && p.Survival >= 0 && p.Lowest <= p.Survival+rounding && p.Survival <= p.Highest+rounding && p.Highest <= 1) {
				t.Errorf("%+v after %v", p, before)
			}
			before = p.Survival
		}
		for _, laid := range found.Laid {
			if !(laid.Outlived >= 0 && laid.Outlived <= 1+rounding && laid.Late >= 0 && laid.Prediction.Attempts >= 1) {
				t.Errorf("%+v", laid.Prediction)
			}
		}
	})
}

// pieces is a reader that returns a text in pieces of a given size.
type pieces struct {
	text []byte
	size int
}

func (p *pieces) Read(b []byte) (n int, err error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n = copy(b[:min(len(b), p.size)], p.text)
	p.text = p.text[n:]
	return n, nil
}

func BenchmarkRead(b *testing.B) {
	text := []byte(strings.Join(log(b, 30_000, false), ""))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := New()
		if err := r.Read(bytes.NewReader(text), func(int64) bool { return true }); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
