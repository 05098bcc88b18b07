package runner

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"retry/policy"
)

// asks returns an attempt that fails and whose server asked to wait.
func asks(d time.Duration) step {
	s := exits(22, 0)
	s.outcome.Diagnosis = &policy.Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: d}
	return s
}

// hinting returns a test job that allows hints of up to an hour.
func hinting(change func(*Job)) *Job {
	return testJob(func(job *Job) {
		job.HintMost = time.Hour
		if change != nil {
			change(job)
		}
	})
}

// A hint below the schedule's sleep changes nothing. A higher one is honoured, plus up to a tenth more.
func TestHintRaisesTheSleep(t *testing.T) {
	f, result := play(t, hinting(nil), nil, asks(500*time.Millisecond), asks(20*time.Second), asks(0), exits(0, 0))
	if !result.Success || len(f.sleeps) != 3 {
		t.Fatalf("got %+v after sleeps %v", result, f.sleeps)
	}
	if f.sleeps[0] != time.Second || f.sleeps[2] != 4*time.Second {
		t.Errorf("slept %v and %v, want the schedule's 1s and 4s", f.sleeps[0], f.sleeps[2])
	}
	if d := f.sleeps[1]; d < 20*time.Second || d >= 22*time.Second {
		t.Errorf("slept %v for a hint of 20s", d)
	}
	if !strings.HasSuffix(f.told[5], ", the server asked for 20s") || strings.Contains(f.told[8], "asked") {
		t.Errorf("told %q and %q", f.told[5], f.told[8])
	}
}

// throttled returns an attempt that fails because there were too many requests.
func throttled(hint time.Duration) step {
	s := asks(hint)
	s.outcome.Diagnosis.Failure.Throttled = true
	return s
}

// Throttling has a schedule of its own, which counts only throttled attempts, unless the server said how long to wait.
// The longer of both sleeps is taken.
func TestThrottledSleeps(t *testing.T) {
	throttling := hinting(func(job *Job) {
		job.Throttle = policy.Schedule{Backoff: policy.Exponential{Base: 3 * time.Second, Factor: 2}, Jitter: policy.None{}}
	})
	f, _ := play(t, throttling, nil, throttled(0), exits(1, 0), throttled(10*time.Second), throttled(0), throttled(0), exits(0, 0))
	if len(f.sleeps) != 5 || f.sleeps[2] < 10*time.Second || f.sleeps[2] >= 11*time.Second {
		t.Fatalf("slept %v", f.sleeps)
	}
	f.sleeps[2] = 10 * time.Second
	checkSleeps(t, f, 3*time.Second, 2*time.Second, 10*time.Second, 8*time.Second, 16*time.Second)

	f, _ = play(t, hinting(nil), nil, throttled(0), exits(0, 0))
	checkSleeps(t, f, time.Second)
}

// What is added to a hint comes from a random stream of its own, so that the schedule's sleeps depend on the seed alone.
func TestHintsDontMoveTheSchedule(t *testing.T) {
	jittered := func(job *Job) {
		job.Schedule.Jitter, job.Seed = policy.Full{}, 7
	}
	plain, _ := play(t, hinting(jittered), nil, exits(1, 0), exits(1, 0), exits(1, 0), exits(0, 0))
	hinted, _ := play(t, hinting(jittered), nil, exits(1, 0), asks(time.Minute), exits(1, 0), exits(0, 0))
	again, _ := play(t, hinting(jittered), nil, exits(1, 0), asks(time.Minute), exits(1, 0), exits(0, 0))
	if plain.sleeps[0] != hinted.sleeps[0] || plain.sleeps[2] != hinted.sleeps[2] {
		t.Errorf("slept %v, and %v with a hint", plain.sleeps, hinted.sleeps)
	}
	if !slices.Equal(hinted.sleeps, again.sleeps) {
		t.Errorf("the same seed slept %v and %v", hinted.sleeps, again.sleeps)
	}
}

func TestHintOverMost(t *testing.T) {
	f, result := play(t, hinting(nil), nil, asks(2*time.Hour))
	checkSleeps(t, f)
	checkFailure(t, result, 22,
		"giving up after 1 attempt in 0s: the server asked for 2h, which is over --retry-after-max 1h: exit status 22")
}

func TestHintAndDeadline(t *testing.T) {
	limited := func(job *Job) { job.Deadline = 30 * time.Second }
	f, result := play(t, hinting(limited), nil, asks(31*time.Second))
	checkSleeps(t, f)
	checkFailure(t, result, 22, "giving up after 1 attempt in 0s: the server asked for 31s, "+
		"and the deadline of 30s leaves no time for that: exit status 22")

	// What is added to a hint is shortened to meet the deadline; the hint itself is not.
	for seed := range uint64(50) {
		f, _ := play(t, hinting(func(job *Job) { limited(job); job.Seed = seed }), nil, asks(29*time.Second), exits(0, 0))
		if len(f.sleeps) != 1 || f.sleeps[0] < 29*time.Second || f.sleeps[0] > 30*time.Second {
			t.Fatalf("seed %d: slept %v for a hint of 29s within 30s", seed, f.sleeps)
		}
	}
}

// purse is a budget in memory.
type purse struct {
	mu            sync.Mutex // guards until
	tokens, given int
	until         time.Time
	fails         error
	uses          atomic.Int32 // calls of a method
}

func (p *purse) Take() (bool, error) {
	p.uses.Add(1)
	if p.fails != nil {
		return true, p.fails
	}
	if p.tokens == 0 {
		return false, nil
	}
	p.tokens--
	return true, nil
}

func (p *purse) GiveBack() error {
	p.uses.Add(1)
	p.given++
	return p.fails
}

func (p *purse) Hold(d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uses.Add(1)
	p.until = time.Now().Add(d)
	return p.fails
}

func (p *purse) Held() (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uses.Add(1)
	return max(0, time.Until(p.until)), p.fails
}

func sharing(p *purse) func(*Job) {
	return func(job *Job) { job.Budget, job.BudgetName = p, "ci" }
}

func TestBudgetUsedUp(t *testing.T) {
	p := &purse{tokens: 2}
	f, result := play(t, hinting(sharing(p)), nil, exits(5, 0))
	checkSleeps(t, f, time.Second, 2*time.Second)
	checkFailure(t, result, 5, "giving up after 3 attempts in 3s: the retry budget ci is used up: exit status 5")
	if p.given != 0 {
		t.Errorf("a failure gave back %d tokens", p.given)
	}
}

// The first attempt is free, a success gives back once, and without a retry no token is taken.
func TestBudgetIsTakenForRetriesOnly(t *testing.T) {
	p := &purse{}
	if _, result := play(t, hinting(sharing(p)), nil, exits(0, 0)); !result.Success || p.given != 1 {
		t.Errorf("got %+v, %d given back", result, p.given)
	}
	p = &purse{tokens: 5}
	play(t, hinting(func(job *Job) { sharing(p)(job); job.MaxAttempts = 2 }), nil, exits(1, 0))
	play(t, hinting(func(job *Job) { sharing(p)(job); job.Deadline = time.Second }), nil, exits(1, 2*time.Second))
	play(t, hinting(sharing(p)), nil, asks(2*time.Hour))
	if p.tokens != 4 {
		t.Errorf("%d tokens are left of 5 after one retry", p.tokens)
	}
	p = &purse{tokens: 5}
	play(t, hinting(func(job *Job) { sharing(p)(job); job.Consecutive = 3 }), nil, exits(0, 0))
	if p.tokens != 5 || p.given != 1 {
		t.Errorf("a streak left %d tokens of 5 and gave back %d", p.tokens, p.given)
	}
}

// Another call was asked to wait, before this one's retry or during its sleep.
func TestBudgetHoldsBack(t *testing.T) {
	p := &purse{tokens: 5}
	f, result := play(t, hinting(sharing(p)), func(*fake) { p.until = time.Now().Add(time.Minute) }, exits(1, 0), exits(0, 0))
	if !result.Success || len(f.sleeps) != 1 || f.sleeps[0] < time.Minute || f.sleeps[0] >= 66*time.Second {
		t.Errorf("slept %v while held back for 1m", f.sleeps)
	}
	if !strings.HasSuffix(f.told[2], ", the server asked another call for 1m") {
		t.Errorf("told %q", f.told[2])
	}

	p = &purse{tokens: 5}
	f, result = play(t, hinting(sharing(p)), func(*fake) {
		time.AfterFunc(500*time.Millisecond, func() { _ = p.Hold(10 * time.Second) })
	}, exits(1, 0), exits(0, 0))
	if !result.Success || len(f.sleeps) != 2 || f.sleeps[0] != time.Second || f.starts[1] < 10500*time.Millisecond {
		t.Errorf("slept %v while held back from the middle of the first sleep", f.sleeps)
	}
	if p.tokens != 4 {
		t.Errorf("%d tokens are left of 5 after one retry", p.tokens)
	}

	// A server that asks for too much doesn't stop the others for years.
	p = &purse{tokens: 5}
	f, _ = play(t, hinting(sharing(p)), nil, asks(10000*time.Hour))
	if held := p.until.Sub(f.start); held != 24*time.Hour {
		t.Errorf("held back for %v", held)
	}

	// The others are held back by the call's own hint, if there is one. That is not another call's.
	for _, own := range []time.Duration{0, time.Minute} {
		p = &purse{tokens: 5}
		f, _ = play(t, hinting(func(job *Job) { sharing(p)(job); job.MaxAttempts = 2 }), nil, asks(own), exits(0, 0))
		if p.until.IsZero() != (own == 0) || strings.Contains(f.told[2], "another") {
			t.Errorf("a hint of %v held back until %v; told %q", own, p.until, f.told[2])
		}
	}
}

// Whoever wakes a sleeping retry wants the next attempt now, whatever a server has asked for.
func TestWoken(t *testing.T) {
	p := &purse{tokens: 5}
	f, result := play(t, hinting(sharing(p)), func(f *fake) {
		f.woken = make(chan struct{})
		time.AfterFunc(3*time.Second, func() { f.woken <- struct{}{} })
	}, asks(time.Minute), exits(0, 0))
	if !result.Success || len(f.sleeps) != 1 || f.starts[1] != 3*time.Second {
		t.Errorf("got %+v, slept %v, attempts at %v", result, f.sleeps, f.starts)
	}
}

// A budget that can't be used counts as a full one, and its error is reported once.
func TestBudgetThatFails(t *testing.T) {
	p := &purse{fails: errors.New("broken")}
	f, result := play(t, hinting(sharing(p)), nil, exits(1, 0), exits(1, 0), exits(0, 0))
	if !result.Success {
		t.Errorf("got %+v", result)
	}
	if told := strings.Join(f.told, "\n"); strings.Count(told, "budget: broken") != 1 {
		t.Errorf("told\n%s", told)
	}
	if p.uses.Load() != 2 {
		t.Errorf("it was used %d times for two retries", p.uses.Load())
	}
}

func judged(job *Job) { job.Judge = []string{"judge"} }

func TestJudgeDecides(t *testing.T) {
	for _, test := range []struct {
		attempt, judge step
		success        bool
		reason         string
	}{
		{exits(3, 0), exits(0, 0), true, ""},
		{exits(0, 0), exits(2, 0), false, "not retrying: exit status 0, and --judge: exit status 2"},
		{exits(3, 0), exits(125, 0), false, "not retrying: exit status 3, and --judge: exit status 125"},
		{exits(3, 0), killed("SEGV", 0), false, "not retrying: exit status 3, and --judge: killed by SIGSEGV"},
	} {
		f, result := play(t, testJob(judged), func(f *fake) { f.answers = []step{test.judge} }, test.attempt)
		if result.Success != test.success || result.Reason != test.reason {
			t.Errorf("%v judged by %v: got %+v", test.attempt.outcome, test.judge.outcome, result)
		}
		if !result.Success && result.Status != max(1, test.attempt.outcome.Status) {
			t.Errorf("%v judged by %v: status %d", test.attempt.outcome, test.judge.outcome, result.Status)
		}
		q := f.questions[0]
		if !q.Output || q.Number != 1 || q.Status != test.attempt.outcome.Status || !slices.Equal(q.Command, []string{"judge"}) {
			t.Errorf("asked %+v", q)
		}
	}
	f, result := play(t, testJob(judged), func(f *fake) { f.answers = []step{exits(1, 0), exits(75, 0), exits(0, 0)} }, exits(0, 0))
	if !result.Success {
		t.Errorf("got %+v", result)
	}
	checkSleeps(t, f, time.Second, 2*time.Second)
}

// The judge isn't asked about an attempt that ends the run in any case, or whose command could not be started.
func TestJudgeIsNotAskedInVain(t *testing.T) {
	unstartable := step{outcome: policy.Outcome{End: policy.NotStarted, Status: 127, Fault: "command not found"}}
	for _, s := range []step{killed("INT", 0), unstartable} {
		if f, result := play(t, testJob(judged), nil, s); result.Success || len(f.questions) != 0 {
			t.Errorf("%v: got %+v, asked %v", s.outcome, result, f.questions)
		}
	}
	f, result := play(t, testJob(judged), func(f *fake) { f.interruptAfter(time.Second, "TERM") }, exits(0, 2*time.Second))
	if result.Signal.Name != "SIGTERM" || len(f.questions) != 0 {
		t.Errorf("got %+v, asked %v", result, f.questions)
	}
	_, result = play(t, testJob(judged), func(f *fake) {
		f.answers = []step{exits(0, 2*time.Second)}
		f.interruptAfter(time.Second, "TERM")
	}, exits(0, 0))
	if result.Success || result.Signal.Name != "SIGTERM" {
		t.Errorf("interrupted while the judge ran: got %+v", result)
	}
}

// The deadline passes while the judge runs, which is part of the attempt.
func TestDeadlineDuringJudge(t *testing.T) {
	late := step{outcome: policy.Outcome{End: policy.DeadlinePassed, Status: policy.StatusTimeout}, takes: 5 * time.Second}
	_, result := play(t, testJob(func(job *Job) { judged(job); job.Deadline = 5 * time.Second }),
		func(f *fake) { f.answers = []step{late} }, exits(0, 0))
	checkFailure(t, result, 124, "giving up after 1 attempt in 5s: the deadline of 5s passed during the attempt")
}

func guarded(job *Job) { job.BeforeRetry = []string{"guard"} }

func TestBeforeRetry(t *testing.T) {
	f, result := play(t, testJob(guarded), func(f *fake) { f.answers = []step{exits(0, time.Second), exits(4, 0)} }, exits(3, 0))
	checkSleeps(t, f, time.Second, 2*time.Second)
	checkFailure(t, result, 3, "not retrying: --before-retry: exit status 4: exit status 3")
	if len(f.attempts) != 2 || f.starts[1] != 2*time.Second || len(f.questions) != 2 {
		t.Fatalf("attempts at %v, asked %v", f.starts, f.questions)
	}
	if q := f.questions[1]; q.Output || q.Number != 2 || q.Status != 3 || q.Reason != "exit status 3" {
		t.Errorf("asked %+v", q)
	}
}

// --before-retry is not run after a signal, before the next success of a streak, or after the deadline.
func TestBeforeRetryIsNotRunInVain(t *testing.T) {
	f, result := play(t, testJob(guarded), func(f *fake) { f.interruptAfter(500*time.Millisecond, "TERM") }, exits(1, 0))
	if result.Signal.Name != "SIGTERM" || len(f.questions) != 0 {
		t.Errorf("got %+v, asked %v", result, f.questions)
	}
	f, result = play(t, testJob(func(job *Job) { guarded(job); job.Consecutive = 2 }), nil, exits(0, 0))
	if !result.Success || len(f.questions) != 0 {
		t.Errorf("got %+v, asked %v", result, f.questions)
	}
	_, result = play(t, testJob(func(job *Job) { guarded(job); job.Deadline = 10 * time.Second }),
		func(f *fake) { f.answers = []step{exits(0, 20*time.Second)} }, exits(3, 0))
	checkFailure(t, result, 3, "giving up after 1 attempt in 21s: the deadline of 10s passed: exit status 3")
}

// If retry can't run a command that decides, retry itself fails.
func TestQuestionThatFails(t *testing.T) {
	broken := errors.New("no pipe")
	for name, job := range map[string]*Job{"judge": testJob(judged), "before-retry": testJob(guarded)} {
		f := &fake{script: []step{exits(1, 0)}, answers: []step{{err: broken}}, start: time.Now()}
		if result, err := Run(job, sleepless{f}, f); err != broken || result.Status != policy.StatusFault {
			t.Errorf("%s: got %+v, %v", name, result, err)
		}
	}
}

// A command that could not be run has decided nothing.
func TestQuestionThatCannotBeRun(t *testing.T) {
	for want, answer := range map[string]policy.Outcome{
		"the command can't be executed (exit status 126)": {Status: 126},
		"the command was not found (exit status 127)":     {Status: 127},
		"the shell can't be run: not found":               {End: policy.NotStarted, Status: 127, Fault: "not found"},
	} {
		for option, job := range map[string]*Job{"--judge": testJob(judged), "--before-retry": testJob(guarded)} {
			f := &fake{script: []step{exits(1, 0)}, answers: []step{{outcome: answer}}, start: time.Now()}
			if _, err := Run(job, sleepless{f}, f); err == nil || err.Error() != option+": "+want {
				t.Errorf("%s: got %v, want %s", option, err, want)
			}
		}
	}
	// Killed by a signal with the same number, it was run.
	for _, status := range []int{126, 127} {
		end := step{outcome: policy.Outcome{End: policy.Killed, Signal: signalNamed("KILL"), Status: status}}
		f, result := play(t, testJob(judged), func(f *fake) { f.answers = []step{end} }, exits(3, 0))
		checkFailure(t, result, 3, "not retrying: exit status 3, and --judge: killed by SIGKILL")
		checkSleeps(t, f)
	}
}

type sleepless struct{ *fake }

func (sleepless) Sleep(time.Duration) bool { return false }
