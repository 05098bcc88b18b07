package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"retry/policy"
)

// step is what a fake does in one attempt.
type step struct {
	outcome policy.Outcome
	takes   time.Duration
	err     error
}

func exits(status int, takes time.Duration) step {
	return step{outcome: policy.Outcome{Status: status}, takes: takes}
}

func killed(name string, takes time.Duration) step {
	signal := signalNamed(name)
	return step{takes: takes, outcome: policy.Outcome{
		End: policy.Killed, Signal: signal, Status: policy.StatusSignalOffset + signal.Number,
	}}
}

// signalNamed knows signals that have the same number on all systems.
func signalNamed(name string) policy.Signal {
	numbers := map[string]int{"HUP": 1, "INT": 2, "QUIT": 3, "KILL": 9, "SEGV": 11, "PIPE": 13, "TERM": 15}
	return policy.Signal{Number: numbers[name], Name: "SIG" + name}
}

// fake is an Executor that follows a script on the clock of a synctest bubble, and also a Reporter.
type fake struct {
	start     time.Time
	script    []step        // the last one repeats
	suspends  time.Duration // how much longer than asked for every sleep is
	stopped   chan struct{}
	woken     chan struct{}
	mu        sync.Mutex
	interrupt policy.Signal
	warnings  []string
	fails     map[string]error // what Settle, Finish and Report return, by name or kind of event
	finish    func()

	answers   []step // the answers to questions; the last one repeats
	questions []Question

	attempts  []Attempt
	starts    []time.Duration // of each attempt, since the start of the run
	sleeps    []time.Duration
	settled   []bool // whether each attempt succeeded
	begun     int
	finished  int
	succeeded bool // what Finish was told
	told      []string
}

func (f *fake) Execute(a Attempt) (policy.Outcome, error) {
	s := f.script[min(len(f.attempts), len(f.script)-1)]
	f.attempts, f.starts = append(f.attempts, a), append(f.starts, f.Elapsed())
	began, end := time.Now(), s.outcome
	var deadline <-chan time.Time
	if a.Remaining != 0 && a.Remaining < s.takes {
		deadline = time.After(a.Remaining)
	}
	over := time.After(s.takes)
	select {
	case <-over:
	case <-deadline:
		end = policy.Outcome{End: policy.DeadlinePassed, Status: policy.StatusTimeout}
	case <-f.stopped:
		// The signal is forwarded, but the command takes a while to end.
		<-over
		end = policy.Outcome{End: policy.Interrupted, Signal: f.Interrupted()}
	}
	end.Duration = time.Since(began)
	return end, s.err
}

func (f *fake) Consult(q Question) (policy.Outcome, error) {
	s := f.answers[min(len(f.questions), len(f.answers)-1)]
	f.questions = append(f.questions, q)
	select {
	case <-time.After(s.takes):
		return s.outcome, s.err
	case <-f.stopped:
		return policy.Outcome{End: policy.Interrupted, Signal: f.Interrupted()}, nil
	}
}

func (f *fake) Sleep(d time.Duration) (woken bool) {
	f.sleeps = append(f.sleeps, d)
	select {
	case <-time.After(d + f.suspends):
	case <-f.stopped:
	case <-f.woken:
		return true
	}
	return false
}

func (f *fake) Warnings() []string {
	warnings := f.warnings
	f.warnings = nil
	return warnings
}

func (f *fake) Interrupted() policy.Signal {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.interrupt
}

func (f *fake) Settle(success bool) error {
	f.settled = append(f.settled, success)
	return f.fails["settle"]
}

func (f *fake) Finish(success bool) error {
	f.finished++
	f.succeeded = success
	if f.finish != nil {
		f.finish()
	}
	return f.fails["finish"]
}

func (f *fake) Elapsed() time.Duration { return time.Since(f.start) }

// Report records an event as a line with its time.
func (f *fake) Report(e Event) error {
	line := fmt.Sprintf("%v: ", f.Elapsed())
	switch e.Kind {
	case RunStarted:
		f.begun++
		return f.fails["report of the start"]
	case AttemptStarted:
		line += fmt.Sprintf("start %d", e.Attempt)
	case AttemptJudged:
		line += fmt.Sprintf("judge %d: %v, %v, streak %d", e.Attempt, e.Verdict.Outcome, e.Verdict.Decision, e.Streak)
	case SleepPlanned:
		line += fmt.Sprintf("sleep %v after %d, streak %d, %v left", e.Sleep, e.Attempt, e.Streak, e.Left)
		if e.Asked.Time > 0 {
			line += ", " + e.Asked.String()
		}
	case SleepEnded:
		return f.fails["report of the end of a sleep"]
	case BudgetFailed:
		line += "budget: " + e.Fault.Error()
	case Warned:
		line += "warning: " + e.Warning
	case RunEnded:
		line += fmt.Sprintf("end after %d: %d %q", e.Attempt, e.Result.Status, e.Result.Reason)
	default:
		line += fmt.Sprintf("%+v", e)
	}
	f.told = append(f.told, line)
	return f.fails[fmt.Sprintf("report %d", len(f.told))]
}

// interruptAfter sends a signal to retry after d.
func (f *fake) interruptAfter(d time.Duration, name string) {
	time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.interrupt = signalNamed(name)
		close(f.stopped)
	})
}

// testJob returns a job of up to ten attempts with sleeps of 1 s, 2 s, 4 s, …, modified by change.
func testJob(change func(*Job)) *Job {
	job := &Job{
		Name:        "cmd",
		Command:     []string{"cmd"},
		Schedule:    policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.None{}},
		Spacing:     time.Second,
		MaxAttempts: 10,
		Consecutive: 1,
	}
	if change != nil {
		change(job)
	}
	return job
}

func constantly(d time.Duration) policy.Schedule {
	return policy.Schedule{Backoff: policy.Constant(d), Jitter: policy.None{}}
}

func rules(t *testing.T, texts ...string) (list []policy.Rule) {
	t.Helper()
	for _, text := range texts {
		rule, err := policy.ParseRule(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rule)
	}
	return list
}

// play runs a job on a script in a synctest bubble. It first calls before, unless that is nil.
func play(t *testing.T, job *Job, before func(*fake), script ...step) (f *fake, result Result) {
	t.Helper()
	f = &fake{script: script}
	synctest.Test(t, func(t *testing.T) {
		f.start, f.stopped = time.Now(), make(chan struct{})
		if before != nil {
			before(f)
		}
		var err error
		if result, err = Run(job, f, f); err != nil {
			t.Fatal(err)
		}
		if result.Elapsed != f.Elapsed() || result.Attempts != len(f.attempts) {
			t.Errorf("result of %d attempts in %v, want %d in %v",
				result.Attempts, result.Elapsed, len(f.attempts), f.Elapsed())
		}
		if len(f.settled) != len(f.attempts) || f.begun != 1 || f.finished != 1 {
			t.Errorf("begun %d times; %d attempts settled %d times; finished %d times",
				f.begun, len(f.attempts), len(f.settled), f.finished)
		}
	})
	return f, result
}

func checkSleeps(t *testing.T, f *fake, want ...time.Duration) {
	t.Helper()
	if !slices.Equal(f.sleeps, want) {
		t.Errorf("slept %v, want %v", f.sleeps, want)
	}
}

func checkTold(t *testing.T, f *fake, want ...string) {
	t.Helper()
	if !slices.Equal(f.told, want) {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(f.told, "\n"), strings.Join(want, "\n"))
	}
}

func checkFailure(t *testing.T, got Result, status int, reason string) {
	t.Helper()
	if got.Success || got.Status != status || got.Reason != reason || got.Signal != (policy.Signal{}) {
		t.Errorf("got %+v, want a failure of status %d: %s", got, status, reason)
	}
}

func TestFirstSuccessEnds(t *testing.T) {
	f, result := play(t, testJob(nil), nil, exits(0, time.Second))
	if !result.Success || result.Status != 0 || result.Signal != (policy.Signal{}) {
		t.Errorf("got %+v, want success", result)
	}
	checkTold(t, f,
		`0s: start 1`,
		`1s: judge 1: exit status 0, success, streak 1`,
		`1s: end after 1: 0 ""`)
}

func TestSequenceOfEvents(t *testing.T) {
	f, result := play(t, testJob(nil), nil, exits(22, time.Second), exits(7, time.Second), exits(0, time.Second))
	if !result.Success || result.Status != 0 {
		t.Errorf("got %+v, want success", result)
	}
	checkTold(t, f,
		`0s: start 1`,
		`1s: judge 1: exit status 22, retry, streak 0`,
		`1s: sleep 1s after 1, streak 0, 0s left`,
		`2s: start 2`,
		`3s: judge 2: exit status 7, retry, streak 0`,
		`3s: sleep 2s after 2, streak 0, 0s left`,
		`5s: start 3`,
		`6s: judge 3: exit status 0, success, streak 1`,
		`6s: end after 3: 0 ""`)
	if want := []bool{false, false, true}; !slices.Equal(f.settled, want) {
		t.Errorf("settled as %v, want %v", f.settled, want)
	}
}

func TestNoSleepAfterTheLastAttempt(t *testing.T) {
	f, result := play(t, testJob(func(j *Job) { j.MaxAttempts = 5 }), nil, exits(7, 0))
	checkSleeps(t, f, 1*time.Second, 2*time.Second, 4*time.Second, 8*time.Second)
	checkFailure(t, result, 7, "giving up after 5 attempts in 15s: exit status 7")

	f, result = play(t, testJob(func(j *Job) { j.MaxAttempts = 1 }), nil, exits(7, time.Minute))
	checkSleeps(t, f)
	checkFailure(t, result, 7, "giving up after 1 attempt in 1m: exit status 7")
}

func TestMaxAttempts(t *testing.T) {
	for most := 1; most <= 50; most++ {
		f, _ := play(t, testJob(func(j *Job) { j.MaxAttempts, j.Schedule = most, constantly(0) }), nil, exits(1, 0))
		if len(f.attempts) != most || len(f.sleeps) != most-1 {
			t.Errorf("--max-attempts %d: %d attempts, %d sleeps", most, len(f.attempts), len(f.sleeps))
		}
	}
}

func TestUnlimitedAttempts(t *testing.T) {
	const failures = 10_000
	script := append(slices.Repeat([]step{exits(1, time.Second)}, failures), exits(0, time.Second))
	job := testJob(func(j *Job) { j.MaxAttempts, j.Schedule.Cap = 0, time.Minute })
	f, result := play(t, job, nil, script...)
	if !result.Success || len(f.attempts) != failures+1 {
		t.Errorf("got %+v after %d attempts, want success after %d", result, len(f.attempts), failures+1)
	}
	// 1 + 2 + 4 + 8 + 16 + 32 seconds, then the cap.
	want := 63*time.Second + (failures-6)*time.Minute + (failures+1)*time.Second
	if result.Elapsed != want {
		t.Errorf("took %v, want %v", result.Elapsed, want)
	}
}

// The loop starts retries when a slowly growing schedule says.
func TestRetryStartsWhenTheScheduleSays(t *testing.T) {
	f, _ := play(t, testJob(func(j *Job) {
		j.MaxAttempts = 50
		j.Schedule.Backoff = policy.Exponential{Base: time.Second, Factor: 1.1}
	}), nil, exits(1, 0))
	for retry, want := range map[int][2]time.Duration{
		48: {88197 * time.Millisecond, 960172 * time.Millisecond},
		49: {97017 * time.Millisecond, 1057190 * time.Millisecond},
	} {
		slept, started := f.sleeps[retry-1].Round(time.Millisecond), f.starts[retry].Round(time.Millisecond)
		if slept != want[0] || started != want[1] {
			t.Errorf("retry %d slept %v and started %v in, want %v and %v", retry, slept, started, want[0], want[1])
		}
	}
}

func TestResetAfter(t *testing.T) {
	job := testJob(func(j *Job) { j.MaxAttempts, j.ResetAfter = 3, 10*time.Second })
	f, result := play(t, job, nil,
		exits(1, 0), exits(1, 10*time.Second-1), exits(1, 10*time.Second),
		exits(1, 0), exits(1, time.Hour), exits(3, 0))
	checkSleeps(t, f, 1*time.Second, 2*time.Second, 1*time.Second, 2*time.Second, 1*time.Second, 2*time.Second, 4*time.Second)
	if result.Status != 3 || len(f.attempts) != 8 {
		t.Errorf("got %+v after %d attempts, want 3 after 8: three after the last reset", result, len(f.attempts))
	}
	for i, want := range []int{1, 2, 3, 1, 2, 1, 2, 3} {
		if got := f.attempts[i].SinceReset; got != want {
			t.Errorf("attempt %d is number %d since the reset, want %d", i+1, got, want)
		}
	}

	f, _ = play(t, testJob(func(j *Job) { j.MaxAttempts = 4 }), nil, exits(1, time.Hour))
	checkSleeps(t, f, 1*time.Second, 2*time.Second, 4*time.Second)
}

func TestConsecutive(t *testing.T) {
	job := testJob(func(j *Job) { j.Consecutive, j.Spacing = 3, 5*time.Second })
	f, result := play(t, job, nil,
		exits(1, 0), exits(1, 0), exits(0, 0), exits(0, 0), exits(1, 0), exits(1, 0), exits(0, 0))
	if !result.Success || result.Status != 0 {
		t.Errorf("got %+v, want success", result)
	}
	checkTold(t, f,
		`0s: start 1`,
		`0s: judge 1: exit status 1, retry, streak 0`,
		`0s: sleep 1s after 1, streak 0, 0s left`,
		`1s: start 2`,
		`1s: judge 2: exit status 1, retry, streak 0`,
		`1s: sleep 2s after 2, streak 0, 0s left`,
		`3s: start 3`,
		`3s: judge 3: exit status 0, success, streak 1`,
		`3s: sleep 5s after 3, streak 1, 0s left`,
		`8s: start 4`,
		`8s: judge 4: exit status 0, success, streak 2`,
		`8s: sleep 5s after 4, streak 2, 0s left`,
		`13s: start 5`,
		`13s: judge 5: exit status 1, retry, streak 0`,
		`13s: sleep 1s after 5, streak 0, 0s left`, // the schedule starts again
		`14s: start 6`,
		`14s: judge 6: exit status 1, retry, streak 0`,
		`14s: sleep 2s after 6, streak 0, 0s left`,
		`16s: start 7`,
		`16s: judge 7: exit status 0, success, streak 1`,
		`16s: sleep 5s after 7, streak 1, 0s left`,
		`21s: start 8`,
		`21s: judge 8: exit status 0, success, streak 2`,
		`21s: sleep 5s after 8, streak 2, 0s left`,
		`26s: start 9`,
		`26s: judge 9: exit status 0, success, streak 3`,
		`26s: end after 9: 0 ""`)
}

// The sleeps within a streak are not retries, so there is no jitter.
func TestConsecutiveIsNotJittered(t *testing.T) {
	job := testJob(func(j *Job) { j.Consecutive, j.Schedule.Jitter = 5, policy.Full{} })
	f, _ := play(t, job, nil, exits(0, time.Millisecond))
	checkSleeps(t, f, slices.Repeat([]time.Duration{time.Second}, 4)...)
}

func TestAttemptsRunOutWithinAStreak(t *testing.T) {
	job := testJob(func(j *Job) { j.Consecutive, j.MaxAttempts = 3, 4 })
	f, result := play(t, job, nil, exits(0, 0), exits(9, 0), exits(0, 0))
	checkSleeps(t, f, time.Second, time.Second, time.Second)
	checkFailure(t, result, 1, "giving up after 4 attempts in 3s: 2 of 3 successes in a row")
}

func TestDeadlineWithoutJitterTakesTheWholeRoom(t *testing.T) {
	job := testJob(func(j *Job) { j.MaxAttempts, j.Deadline, j.Schedule = 0, 10*time.Minute, constantly(time.Hour) })
	f, result := play(t, job, nil, exits(1, time.Minute))
	checkFailure(t, result, 1,
		"giving up after 2 attempts in 10m: the deadline of 10m leaves no time for another attempt: exit status 1")
	checkTold(t, f,
		`0s: start 1`,
		`1m0s: judge 1: exit status 1, retry, streak 0`,
		`1m0s: sleep 8m0s after 1, streak 0, 9m0s left`,
		`9m0s: start 2`,
		`10m0s: judge 2: exit status 1, retry, streak 0`,
		`10m0s: end after 2: 1 "`+result.Reason+`"`)
}

func TestDeadlineLeavesFittingSleepsAlone(t *testing.T) {
	job := testJob(func(j *Job) { j.MaxAttempts, j.Deadline = 0, 17*time.Second })
	f, _ := play(t, job, nil, exits(1, time.Second))
	// The attempts end at 1, 3, 6 and 11 s; then 5 of the 8 s that are due fit before the attempt from 16 to 17 s.
	checkSleeps(t, f, 1*time.Second, 2*time.Second, 4*time.Second, 5*time.Second)
}

// A sleep that is too long for the deadline is drawn again, from the second half of what would fit.
func TestDeadlineRedrawsSleeps(t *testing.T) {
	const deadline, takes = 10 * time.Minute, time.Minute
	low, high := deadline, time.Duration(0)
	for seed := range uint64(200) {
		job := testJob(func(j *Job) {
			j.MaxAttempts, j.Deadline, j.Seed = 0, deadline, seed
			j.Schedule = policy.Schedule{Backoff: policy.Constant(time.Hour), Jitter: policy.Equal{}}
		})
		f, result := play(t, job, nil, exits(1, takes))
		for i, slept := range f.sleeps {
			room := deadline - f.starts[i] - 2*takes
			if slept < room/2 || slept >= room {
				t.Errorf("seed %d: sleep %d of %v is not in the second half of %v", seed, i+1, slept, room)
			}
		}
		low, high = min(low, f.sleeps[0]), max(high, f.sleeps[0])
		if result.Status != 1 || result.Elapsed > deadline {
			t.Errorf("seed %d: got %+v, want an end before the deadline by the command's own status", seed, result)
		}
	}
	if low > 4*time.Minute+10*time.Second || high < 8*time.Minute-10*time.Second {
		t.Errorf("the first sleeps lie from %v to %v, want them to fill 4m to 8m", low, high)
	}
}

func TestDeadlineWithoutRoomEndsWithoutSleeping(t *testing.T) {
	const reason = "giving up after 1 attempt in 30s: the deadline of %s leaves no time for another attempt: exit status 4"
	for _, deadline := range []time.Duration{45 * time.Second, time.Minute} {
		job := testJob(func(j *Job) { j.MaxAttempts, j.Deadline = 0, deadline })
		f, result := play(t, job, nil, exits(4, 30*time.Second))
		checkSleeps(t, f)
		checkFailure(t, result, 4, fmt.Sprintf(reason, policy.FormatDuration(deadline)))
	}
}

// The sleep within a streak is exact: it is not shortened to meet the deadline.
func TestDeadlineEndsAStreak(t *testing.T) {
	job := testJob(func(j *Job) {
		j.MaxAttempts, j.Consecutive, j.Spacing, j.Deadline = 0, 4, time.Minute, 130*time.Second
	})
	f, result := play(t, job, nil, exits(0, 10*time.Second))
	checkSleeps(t, f, time.Minute)
	checkFailure(t, result, 1,
		"giving up after 2 attempts in 1m20s: the deadline of 2m10s leaves no time for another attempt: "+
			"2 of 4 successes in a row")
}

func TestDeadlinePassesDuringAnAttempt(t *testing.T) {
	job := testJob(func(j *Job) { j.MaxAttempts, j.Deadline, j.Consecutive = 0, time.Minute, 2 })
	f, result := play(t, job, nil, exits(1, 0), exits(0, time.Hour))
	checkFailure(t, result, 124, "giving up after 2 attempts in 1m: the deadline of 1m passed during the attempt")
	checkTold(t, f, // the rules don't judge the second attempt
		`0s: start 1`,
		`0s: judge 1: exit status 1, retry, streak 0`,
		`0s: sleep 1s after 1, streak 0, 1m0s left`,
		`1s: start 2`,
		`1m0s: judge 2: the deadline passed, stop, streak 0`,
		`1m0s: end after 2: 124 "`+result.Reason+`"`)
}

func TestDeadlinePassesDuringASleep(t *testing.T) {
	job := testJob(func(j *Job) { j.Deadline = time.Hour })
	f, result := play(t, job, func(f *fake) { f.suspends = 2 * time.Hour }, exits(5, 0))
	checkFailure(t, result, 5, "giving up after 1 attempt in 2h0m1s: the deadline of 1h passed: exit status 5")
	checkSleeps(t, f, time.Second)
}

func TestStagger(t *testing.T) {
	const most = time.Minute
	low, high := most, time.Duration(0)
	for seed := range uint64(200) {
		jittered := func(stagger time.Duration) *Job {
			return testJob(func(j *Job) { j.Seed, j.Stagger, j.Schedule.Jitter = seed, stagger, policy.Full{} })
		}
		f, _ := play(t, jittered(most), nil, exits(1, 0))
		first := f.sleeps[0]
		if first < 0 || first >= most || f.starts[0] != first {
			t.Errorf("seed %d: staggered by %v and started %v in, want both within %v", seed, first, f.starts[0], most)
		}
		if want := fmt.Sprintf("0s: sleep %v after 0, streak 0, 0s left", first); f.told[0] != want {
			t.Errorf("told %q, want %q", f.told[0], want)
		}
		low, high = min(low, first), max(high, first)
		// The random start doesn't change later random sleeps.
		plain, _ := play(t, jittered(0), nil, exits(1, 0))
		checkSleeps(t, plain, f.sleeps[1:]...)
		// Nor are they drawn alike: with the same bounds, they would be the same.
		if f, _ = play(t, jittered(time.Second), nil, exits(1, 0)); f.sleeps[0] == f.sleeps[1] {
			t.Errorf("seed %d: the stagger and the first sleep are both %v", seed, f.sleeps[0])
		}
	}
	if low > time.Second || high < most-time.Second {
		t.Errorf("200 staggers lie from %v to %v, want them to fill %v", low, high, most)
	}
}

func TestSeedRepeatsTheRun(t *testing.T) {
	job := testJob(func(j *Job) {
		j.Seed, j.Stagger, j.MaxAttempts, j.Deadline, j.Schedule.Jitter = 42, time.Minute, 0, time.Hour, policy.Full{}
	})
	one, _ := play(t, job, nil, exits(1, time.Second))
	two, _ := play(t, job, nil, exits(1, time.Second))
	checkTold(t, two, one.told...)
	job.Seed++
	if other, _ := play(t, job, nil, exits(1, time.Second)); slices.Equal(one.sleeps, other.sleeps) {
		t.Error("another seed drew the same sleeps")
	}
}

func TestInterrupt(t *testing.T) {
	tests := []struct {
		name     string
		signal   string
		after    time.Duration
		change   func(*Job)
		step     step
		elapsed  time.Duration
		attempts int
	}{
		{"during a sleep", "TERM", 130 * time.Second, nil, exits(1, 20*time.Second), 130 * time.Second, 2},
		{"during the stagger", "HUP", time.Nanosecond, func(j *Job) { j.Stagger = time.Hour }, exits(0, 0), 1, 0},
		{"during an attempt that fails", "INT", time.Second, nil, exits(1, time.Hour), time.Hour, 1},
		{"during an attempt that succeeds", "QUIT", time.Second, nil, exits(0, time.Hour), time.Hour, 1},
		{"under a deadline", "TERM", 1, func(j *Job) { j.Deadline = 2 * time.Hour }, exits(1, time.Hour), time.Hour, 1},
		{"switched off", "TERM", 1, func(j *Job) { j.Disabled = true }, exits(1, time.Hour), time.Hour, 1},
		{"in a streak", "TERM", 1500 * time.Millisecond, func(j *Job) { j.Consecutive, j.Spacing = 2, time.Hour },
			exits(0, time.Second), 1500 * time.Millisecond, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			job := testJob(func(j *Job) { j.Schedule = constantly(time.Minute) })
			if test.change != nil {
				test.change(job)
			}
			f, result := play(t, job, func(f *fake) { f.interruptAfter(test.after, test.signal) }, test.step)
			signal := signalNamed(test.signal)
			want := Result{
				Status: 128 + signal.Number, Signal: signal, Cause: RunInterrupted, Reason: "not retrying: SIG" + test.signal + " received",
				Attempts: test.attempts, Elapsed: test.elapsed,
			}
			if result != want {
				t.Errorf("got  %+v\nwant %+v", result, want)
			}
			if last := f.told[len(f.told)-1]; !strings.Contains(last, "end after") {
				t.Errorf("the last event is %q, want the end", last)
			}
		})
	}
}

func TestInterruptBeforeTheFirstAttempt(t *testing.T) {
	f, result := play(t, testJob(nil), func(f *fake) {
		f.interruptAfter(0, "TERM")
		synctest.Wait()
	}, exits(0, 0))
	if result.Signal.Name != "SIGTERM" || result.Status != 143 || len(f.attempts) != 0 {
		t.Errorf("got %+v after %d attempts, want SIGTERM before any", result, len(f.attempts))
	}
}

// If the command ended by itself before the signal reached it, its success stands: retry has done what it was asked for.
func TestInterruptDoesNotUndoASuccess(t *testing.T) {
	f := &fake{script: []step{exits(0, 0)}}
	synctest.Test(t, func(t *testing.T) {
		f.start, f.stopped = time.Now(), make(chan struct{})
		late := executorFunc{fake: f, execute: func(a Attempt) (policy.Outcome, error) {
			f.interrupt = policy.Signal{Number: 2, Name: "SIGINT"}
			return policy.Outcome{}, nil
		}}
		if result, err := Run(testJob(nil), late, f); err != nil || !result.Success || result.Status != 0 {
			t.Errorf("got %+v, %v, want success", result, err)
		}
	})
}

// executorFunc is a fake with a different Execute.
type executorFunc struct {
	*fake
	execute func(Attempt) (policy.Outcome, error)
}

func (e executorFunc) Execute(a Attempt) (policy.Outcome, error) { return e.execute(a) }

// Any error ends the run with that error, and Finish is still called.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		where    string
		attempts int
	}{
		{"execute", 2},
		{"settle", 1},
		{"finish", 3},
		{"report of the start", 0},
		{"report 1", 0}, // the start of the first attempt
		{"report 2", 1}, // its verdict
		{"report 3", 1}, // the sleep
		{"report 9", 3}, // the end
	}
	for _, test := range tests {
		t.Run(test.where, func(t *testing.T) {
			second := exits(1, 0)
			if test.where == "execute" {
				second.err = broken
			}
			f := &fake{fails: map[string]error{test.where: broken}, script: []step{exits(1, 0), second, exits(0, 0)}}
			synctest.Test(t, func(t *testing.T) {
				f.start = time.Now()
				result, err := Run(testJob(nil), f, f)
				if err != broken || result.Status != policy.StatusFault || result.Reason != "broken" {
					t.Errorf("got %+v, %v, want %v", result, err, broken)
				}
			})
			if len(f.attempts) != test.attempts || f.finished != 1 {
				t.Errorf("%d attempts, finished %d times, want %d and once", len(f.attempts), f.finished, test.attempts)
			}
			if last := f.told[len(f.told)-1]; !strings.HasSuffix(last, `: 125 "broken"`) {
				t.Errorf("told last: %s", last)
			}
		})
	}
}

// Without a reader of its output, retry ends, even if it only notices that at the very end.
func TestNobodyReads(t *testing.T) {
	const reason = "not retrying: nobody reads standard output any more"
	want := Result{Status: 141, Signal: signalNamed("PIPE"), Cause: RunInterrupted, Reason: reason}
	for name, before := range map[string]func(*fake){
		"during the sleep":    func(f *fake) { f.interruptAfter(1500*time.Millisecond, "PIPE") },
		"after the last byte": func(f *fake) { f.finish = func() { f.interrupt = signalNamed("PIPE") } },
	} {
		t.Run(name, func(t *testing.T) {
			_, result := play(t, testJob(nil), before, exits(1, time.Second), exits(0, time.Second))
			want.Attempts, want.Elapsed = result.Attempts, result.Elapsed
			if result != want {
				t.Errorf("got  %+v\nwant %+v", result, want)
			}
		})
	}
}

// Consumed input can't be given to another attempt.
func TestSpentInput(t *testing.T) {
	const reason = "not retrying: standard input was consumed (use --stdin replay to give it to every attempt): " +
		"exit status 5"
	spent := exits(5, 0)
	spent.outcome.Spent = policy.PerhapsConsumed
	_, result := play(t, testJob(nil), nil, spent)
	checkFailure(t, result, 5, strings.Replace(reason, "was", "may have been", 1))
	spent.outcome.Spent = policy.Consumed
	f, result := play(t, testJob(nil), nil, spent)
	checkFailure(t, result, 5, reason)
	checkSleeps(t, f)

	_, result = play(t, testJob(func(j *Job) { j.MaxAttempts = 1 }), nil, spent)
	checkFailure(t, result, 5, "giving up after 1 attempt in 0s: exit status 5")

	spent.outcome.Status = 0
	if _, result = play(t, testJob(nil), nil, spent); !result.Success {
		t.Errorf("got %+v, want success", result)
	}
}

func TestDisabled(t *testing.T) {
	disabled := func(change func(*Job)) *Job {
		job := testJob(change)
		job.Disabled = true
		return job
	}
	f, result := play(t, disabled(nil), nil, exits(7, time.Second))
	checkFailure(t, result, 7, "not retrying: RETRY_DISABLE is set: exit status 7")
	checkTold(t, f,
		`0s: start 1`,
		`1s: judge 1: exit status 7, retry, streak 0`,
		`1s: end after 1: 7 "not retrying: RETRY_DISABLE is set: exit status 7"`)

	if _, result = play(t, disabled(nil), nil, exits(0, 0)); !result.Success {
		t.Errorf("got %+v, want success", result)
	}
	_, result = play(t, disabled(func(j *Job) { j.Consecutive = 2 }), nil, exits(0, 0))
	checkFailure(t, result, 1, "not retrying: RETRY_DISABLE is set: 1 of 2 successes in a row")
	_, result = play(t, disabled(func(j *Job) { j.Rules.StopIf = rules(t, "7") }), nil, exits(7, 0))
	checkFailure(t, result, 7, "not retrying: exit status 7 matches --stop-if code:7")
}

func TestStopIsNotRetried(t *testing.T) {
	f, result := play(t, testJob(func(j *Job) { j.Rules.RetryIf = rules(t, "75") }), nil, exits(75, 0), exits(2, 0))
	checkFailure(t, result, 2, "not retrying: exit status 2 matches no --retry-if rule")
	checkSleeps(t, f, time.Second)
}

func TestAttemptFields(t *testing.T) {
	script := []step{exits(22, time.Second), killed("KILL", time.Second), exits(0, time.Second)}
	f, _ := play(t, testJob(func(j *Job) { j.Deadline = time.Minute }), nil, script...)
	want := []Attempt{
		{Number: 1, SinceReset: 1, PreviousStatus: "", Elapsed: 0, Remaining: time.Minute},
		{Number: 2, SinceReset: 2, PreviousStatus: "22", Elapsed: 2 * time.Second, Remaining: 58 * time.Second},
		{Number: 3, SinceReset: 3, PreviousStatus: "137", Elapsed: 5 * time.Second, Remaining: 55 * time.Second},
	}
	if !slices.Equal(f.attempts, want) {
		t.Errorf("told\n%+v, want\n%+v", f.attempts, want)
	}
	f, _ = play(t, testJob(nil), nil, script...)
	for i := range want {
		want[i].Remaining = 0
	}
	if !slices.Equal(f.attempts, want) {
		t.Errorf("without a deadline told\n%+v, want\n%+v", f.attempts, want)
	}
}

// An attempt that starts at the deadline would have no time left, and Remaining can't say that: 0 means no deadline.
func TestNoAttemptStartsAtTheDeadline(t *testing.T) {
	job := testJob(func(j *Job) { j.Schedule, j.Deadline = constantly(5*time.Second), 5*time.Second })
	f, result := play(t, job, nil, exits(1, 0))
	checkSleeps(t, f, 5*time.Second)
	checkFailure(t, result, 1, "giving up after 1 attempt in 5s: the deadline of 5s passed: exit status 1")
}

func TestStatus(t *testing.T) {
	fails := func(j *Job) { j.Rules.FailIf, j.MaxAttempts = rules(t, "any"), 1 }
	tests := []struct {
		name   string
		change func(*Job)
		step   step
		status int
		signal string
	}{
		{"a failure with status 0", fails, exits(0, 0), 1, ""},
		{"1", fails, exits(1, 0), 1, ""},
		{"255", fails, exits(255, 0), 255, ""},
		{"crash", fails, killed("SEGV", 0), 139, ""},
		{"kill", fails, killed("KILL", 0), 137, ""},
		{"TERM", fails, killed("TERM", 0), 143, "SIGTERM"},
		{"HUP", fails, killed("HUP", 0), 129, "SIGHUP"},
		{"PIPE ends retrying", nil, killed("PIPE", 0), 141, "SIGPIPE"},
		{"INT ends retrying", nil, killed("INT", 0), 130, "SIGINT"},
		{"QUIT ends retrying", nil, killed("QUIT", 0), 131, "SIGQUIT"},
		{"timeout", fails, step{outcome: policy.Outcome{End: policy.TimedOut, Status: 124}}, 124, ""},
		{"timeout that needed KILL", fails, step{outcome: policy.Outcome{
			End: policy.TimedOut, Status: 124, Signal: policy.Signal{Number: 9, Name: "SIGKILL"}}}, 124, ""},
		{"not found", nil, step{outcome: policy.Outcome{End: policy.NotStarted, Status: 127}}, 127, ""},
		{"not executable", nil, step{outcome: policy.Outcome{End: policy.NotStarted, Status: 126}}, 126, ""},
		{"until failure", func(j *Job) { j.Rules.UntilFailure, j.MaxAttempts = true, 1 }, exits(0, 0), 1, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, result := play(t, testJob(test.change), nil, test.step)
			if result.Success || result.Status != test.status || result.Signal.Name != test.signal {
				t.Errorf("got %+v, want status %d, signal %q", result, test.status, test.signal)
			}
			checkSleeps(t, f)
		})
	}
}

func TestRunReportsWarnings(t *testing.T) {
	job := testJob(func(j *Job) { j.MaxAttempts, j.Warnings = 2, []string{"the job is odd"} })
	f, _ := play(t, job, func(f *fake) { f.warnings = []string{"something is odd"} }, exits(1, 0))
	checkTold(t, f,
		`0s: warning: the job is odd`,
		`0s: warning: something is odd`,
		`0s: start 1`,
		`0s: judge 1: exit status 1, retry, streak 0`,
		`0s: sleep 1s after 1, streak 0, 0s left`,
		`1s: start 2`,
		`1s: judge 2: exit status 1, retry, streak 0`,
		`1s: end after 2: 1 "giving up after 2 attempts in 1s: exit status 1"`)

	full := errors.New("disk full")
	f = &fake{script: []step{exits(1, 0)}, start: time.Now(), fails: map[string]error{"report 1": full}}
	if _, err := Run(job, sleepless{f}, f); err != full || len(f.attempts) != 0 {
		t.Errorf("got %v, and %d attempts", err, len(f.attempts))
	}
}

// The executor is told whether the run succeeded.
func TestFinish(t *testing.T) {
	broken := exits(0, 0)
	broken.err = errors.New("broken")
	for _, test := range []struct {
		step
		succeeded bool
	}{{exits(0, 0), true}, {exits(1, 0), false}, {broken, false}} {
		f := &fake{script: []step{test.step}, start: time.Now()}
		_, _ = Run(testJob(func(j *Job) { j.MaxAttempts = 1 }), sleepless{f}, f)
		if f.finished != 1 || f.succeeded != test.succeeded {
			t.Errorf("%+v: finished %d times, succeeded %v", test.step, f.finished, f.succeeded)
		}
	}
}

// The time left is enough if it is not less than what is needed.
func TestJustEnoughTime(t *testing.T) {
	f, _ := play(t, testJob(func(j *Job) { j.Consecutive, j.Deadline = 2, 10*time.Second }), nil, exits(0, 4500*time.Millisecond))
	checkSleeps(t, f, time.Second)

	f, _ = play(t, hinting(func(j *Job) { j.Deadline = 30 * time.Second }), nil, asks(30*time.Second), exits(0, 0))
	checkSleeps(t, f, 30*time.Second)
}
