package policy

import (
	"testing"
	"time"
)

// Law 2: the same seed gives the same sleeps, to the microsecond, on every platform and with every version of Go. The
// first sleeps are given in microseconds; the total of 10,000 also covers rare branches of the normal distribution.
// A change here changes what users' seeds mean.
func TestGoldenSleeps(t *testing.T) {
	tests := []struct {
		jitter Jitter
		sleeps [8]int64
		total  int64
	}{
		{None{}, [8]int64{1000000, 2000000, 4000000, 8000000, 16000000, 32000000, 60000000, 60000000}, 599703000000},
		{Full{}, [8]int64{857545, 1921430, 545174, 708069, 2966822, 30924673, 55725572, 21820224}, 297317282953},
		{Equal{}, [8]int64{928772, 1960715, 2272587, 4354034, 9483411, 31462336, 57862786, 40910112}, 448510141474},
		{Decorrelated{}, [8]int64{2715091, 7864572, 4079381, 1994673, 1924169, 5612132, 15708205, 17774158}, 327166280605},
		{Additive(time.Second), [8]int64{1857545, 2960715, 4136293, 8088508, 16185426, 32966396, 60000000, 60000000},
			599706194885},
		{Normal(0.1), [8]int64{929937, 2236806, 3747779, 7947176, 16999614, 35301908, 63595614, 52127220}, 599136722015},
		{Normal(1), [8]int64{299370, 4368068, 1477792, 7471761, 25996144, 65019087, 95956147, 0}, 646828969268},
		{Proportional(0.5), [8]int64{1357545, 2921430, 2545174, 4708069, 10966822, 46924673, 60000000, 51820224},
			522807638785},
	}
	for _, test := range tests {
		t.Run(test.jitter.String(), func(t *testing.T) {
			schedule := Schedule{Exponential{time.Second, 2}, test.jitter, time.Minute}
			sequence := schedule.Start(NewRand(42, SleepStream))
			var total time.Duration
			for i := range 10_000 {
				sleep := sequence.Next()
				total += sleep
				if i < len(test.sleeps) && sleep.Microseconds() != test.sleeps[i] {
					t.Errorf("sleep %d is %d µs, want %d", i+1, sleep.Microseconds(), test.sleeps[i])
				}
			}
			if total.Microseconds() != test.total {
				t.Errorf("all sleeps are %d µs, want %d", total.Microseconds(), test.total)
			}
		})
	}
}

func TestGoldenStaggers(t *testing.T) {
	rng := NewRand(42, StaggerStream)
	for i, want := range []int64{10863863, 34396560, 34433763, 39693690, 58801758} {
		if got := Stagger(time.Minute, rng).Microseconds(); got != want {
			t.Errorf("stagger %d is %d µs, want %d", i+1, got, want)
		}
	}
}

func TestGoldenFits(t *testing.T) {
	rng := NewRand(42, DeadlineStream)
	for i, want := range []int64{33258579, 59051009, 32788777, 58637899, 31878313} {
		if got, _ := FitDeadline(time.Hour, time.Minute, true, rng); got.Microseconds() != want {
			t.Errorf("fit %d is %d µs, want %d", i+1, got.Microseconds(), want)
		}
	}
}
