package simulation

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"retry/policy"
)

// budgeted returns an outage with a budget.
func budgeted(tb testing.TB, text string, perMachine int, budget policy.Budget) Outage {
	o := outage(tb, "%s", text)
	o.Budget = Shared{budget, perMachine}
	return o
}

// duringOutage returns the mean number of pending requests while the server is stopped.
func duringOutage(o Outage, r OutageResult) float64 {
	return mean(r.Samples, int(o.Start/time.Second), int((o.Start+o.Length)/time.Second))
}

// The first servers are slightly overloaded, so that tokens are taken and come back all the time. With the others so many requests
// fail that several clients of one machine often fail in the same tick.
func TestBudgetAgreesWithEveryLook(t *testing.T) {
	t.Parallel()
	budgets := []Shared{
		{policy.Budget{Tokens: 3, Refund: 0.5, Refill: 0.2}, 7}, {policy.Budget{Tokens: 1, Refill: 1.0 / 7}, 1},
		{policy.Budget{Tokens: 5, Refund: 0.1, Refill: 50}, 40}, {policy.Budget{Tokens: 20, Refund: 1}, 1000},
	}
	for _, text := range []string{
		"clients=60,think=1s,limit=0,step=5,growth=1.5,abandon=yes,timeout=333.3ms,outage=1s@3s,duration=20s",
		"clients=120,think=1s,limit=5,step=10,growth=1.5,abandon=yes,timeout=333.3ms,outage=1s@3s,duration=20s",
		"clients=300,think=500ms,limit=20,step=10,abandon=yes,timeout=300ms,outage=1s@3s,duration=12s",
		"clients=300,think=500ms,limit=80,step=20,delay=50ms,timeout=333.3ms,outage=1s@3s,duration=12s",
		"clients=400,think=1s,limit=10,step=8,abandon=yes,timeout=500.0001ms,outage=2s@3s,duration=12s",
	} {
		for _, budget := range budgets {
			for seed, schedule := range []policy.Schedule{fixed, fromHundred, brooker(time.Second, nil)} {
				o := outage(t, "%s", text)
				o.Budget = budget
				agrees(t, o, schedule, uint64(seed))
			}
		}
	}
}

// Every failure is followed by a token or by the end of the call, and every token by a retry, unless its client is still sleeping
// at the end. The requests pending at the server are those that were sent and have not ended yet.
func TestBudgetLosesNothing(t *testing.T) {
	for _, text := range []string{"clients=1003,abandon=yes", "clients=1003,abandon=no"} {
		for seed, schedule := range []policy.Schedule{fixed, fromHundred, brooker(time.Second, nil)} {
			for _, perMachine := range []int{1, 10, 2000} {
				o := budgeted(t, text, perMachine, policy.Budget{Tokens: 2, Refund: 0.1})
				r := newOutageRun(o, schedule)
				r.begin(uint64(seed), nil)
				sum := r.follow(nil).Total()
				waiting, asleep := 0, 0
				for i := range r.waiting {
					waiting += len(r.call(&r.waiting[i]))
					for _, id := range r.called {
						r.clients[id].failing = false
					}
				}
				for _, client := range r.clients[1:] {
					if client.failing {
						asleep++
					}
				}
				if sum.Timeouts != sum.GivenUp+sum.Retries+int64(asleep) {
					t.Errorf("%s, %v, %d: %+v, and %d asleep", text, schedule, perMachine, sum, asleep)
				}
				if o.Abandon && r.inHand != int64(waiting) {
					t.Errorf("%s, %v, %d: %d in hand, and %d clients wait", text, schedule, perMachine, r.inHand, waiting)
				}
				if sum.GivenUp == 0 || sum.Retries == 0 || sum.OK == 0 {
					t.Errorf("%s, %v, %d: %+v tells nothing", text, schedule, perMachine, sum)
				}
			}
		}
	}
}

// A retry without a sleep is sent as soon as it is allowed, so the sums match in every second.
func TestBudgetLosesNothingInASecond(t *testing.T) {
	o := budgeted(t, "", 10, policy.StandardBudget())
	for second, s := range o.Run(Compared(fixed, Shared{})[1].Schedule, 1, nil).Samples {
		if s.Timeouts != s.GivenUp+s.Retries {
			t.Errorf("second %d: %+v", second, s)
		}
	}
}

func TestBudgetWithoutEnd(t *testing.T) {
	for _, text := range []string{"abandon=yes", "abandon=no"} {
		for _, schedule := range []policy.Schedule{fixed, fromHundred, brooker(time.Second, nil)} {
			want := outage(t, "%s", text).Run(schedule, 1, nil)
			got := budgeted(t, text, 10, policy.Budget{Tokens: math.Inf(1)}).Run(schedule, 1, nil)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %v: an infinite budget makes a difference", text, schedule)
			}
		}
	}
}

// A bucket without refund and refill allows as many retries as it had tokens, whether each client has its own or all share one.
func TestBudgetIsSpentOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		perMachine int
		tokens     float64
		want       int64
	}{
		{1, 1, 1003}, {10, 1, 101}, {1003, 1, 1}, {1_000_000, 1, 1},
		{10, 3, 303}, {1002, 40, 80}, {1003, 40, 40}, {10, 1.99, 101},
	}
	for _, test := range tests {
		// Nothing succeeds after the outage begins, so every client fails as often as it calls.
		o := budgeted(t, "clients=1003,think=5s,outage=10m@20s,duration=11m", test.perMachine,
			policy.Budget{Tokens: test.tokens})
		sum := o.Run(fixed, 1, nil).Total()
		if sum.Retries != test.want {
			t.Errorf("%d clients a bucket of %v: %d retries, not %d", test.perMachine, test.tokens, sum.Retries, test.want)
		}
	}
}

// The refill alone allows a known number of retries: the tokens in the bucket, and those that came back while it was not full.
func TestBudgetIsRefilled(t *testing.T) {
	o := budgeted(t, "think=5s,outage=10m@20s,duration=625s", 1000, policy.Budget{Tokens: 10, Refill: 0.5})
	sum := o.Run(fixed, 1, nil).Total()
	// The first failures are at 22 s or slightly later, and 50 a second use up the ten tokens at once.
	near(t, "retries", float64(sum.Retries), 10+0.5*603)
}

func TestBudgetSparesTheServer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"abandon=yes", "abandon=no"} {
		for _, schedule := range []policy.Schedule{fixed, fromHundred, brooker(time.Second, nil)} {
			for seed := range uint64(3) {
				without := outage(t, "%s", text)
				free := without.Run(schedule, seed, nil)
				for _, perMachine := range []int{10, 50, 1000} {
					t.Run(fmt.Sprintf("%s, %v, seed %d, %d clients", text, schedule, seed, perMachine), func(t *testing.T) {
						with := budgeted(t, text, perMachine, policy.StandardBudget())
						got := with.Run(schedule, seed, nil)
						if got, free := got.Total().Retries, free.Total().Retries; got >= free {
							t.Errorf("%d retries, %d without", got, free)
						}
						if got, free := duringOutage(with, got), duringOutage(without, free); got >= free {
							t.Errorf("%.0f in hand, %.0f without", got, free)
						}
						if before := int(with.Start / time.Second); !slices.Equal(got.Samples[:before], free.Samples[:before]) {
							t.Error("the budget makes a difference before the outage")
						}
					})
				}
			}
		}
	}
}
