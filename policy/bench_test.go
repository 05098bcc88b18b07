package policy

import (
	"math"
	"testing"
	"time"
)

// Every attempt needs a sleep and a verdict.

var schedules = []Schedule{
	{Exponential{time.Second, 2}, None{}, time.Minute},
	{Exponential{time.Second, 2}, Full{}, time.Minute},
	{Exponential{time.Second, 2}, Equal{}, time.Minute},
	{Exponential{time.Second, 2}, Decorrelated{}, time.Minute},
	{Exponential{time.Second, 2}, Additive(time.Second), time.Minute},
	{Exponential{time.Second, 2}, Normal(0.1), time.Minute},
	{Exponential{time.Second, 2}, Proportional(0.5), time.Minute},
	{Constant(time.Second), Full{}, 0},
	{Linear(time.Second), Full{}, 0},
	{Fibonacci(time.Second), Full{}, 0},
	{Delays{time.Second, time.Minute}, Full{}, 0},
}

func BenchmarkNext(b *testing.B) {
	sequence := schedules[1].Start(NewRand(1, SleepStream))
	b.ReportAllocs()
	for b.Loop() {
		sequence.Next()
	}
}

// Fibonacci numbers are computed from the start for every retry.
func BenchmarkNextFibonacci(b *testing.B) {
	sequence := Schedule{Backoff: Fibonacci(1), Jitter: Full{}}.Start(NewRand(1, SleepStream))
	sequence.n = math.MaxInt - 1
	b.ReportAllocs()
	for b.Loop() {
		sequence.Next()
	}
}

// manyRules must all be tried.
func manyRules(tb testing.TB) *Rules {
	parse := func(text string) Rule {
		rule, err := ParseRule(text, signalNumber)
		if err != nil {
			tb.Fatal(err)
		}
		return rule
	}
	return &Rules{
		SuccessIf: []Rule{parse("0,3"), parse("timeout")},
		FailIf:    []Rule{parse("signal:SEGV,KILL"), parse("4")},
		StopIf:    []Rule{parse("2"), parse("100-110"), parse("timeout")},
		RetryIf:   []Rule{parse("75"), parse("signal:TERM"), parse("22")},
	}
}

func BenchmarkJudge(b *testing.B) {
	rules, outcome := manyRules(b), exited(22)
	b.ReportAllocs()
	for b.Loop() {
		rules.Judge(outcome)
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	for _, schedule := range schedules {
		sequence := schedule.Start(NewRand(1, SleepStream))
		if allocations := testing.AllocsPerRun(1000, func() { sequence.Next() }); allocations != 0 {
			t.Errorf("%+v: Next allocates %v times", schedule, allocations)
		}
	}
}

func TestJudgeAllocatesNothing(t *testing.T) {
	rules := manyRules(t)
	for _, outcome := range []Outcome{exited(0), exited(22), exited(9), timedOut, notFound, killed("SIGKILL")} {
		if allocations := testing.AllocsPerRun(1000, func() { rules.Judge(outcome) }); allocations != 0 {
			t.Errorf("%v: Judge allocates %v times", outcome, allocations)
		}
	}
}
