package simulation

import (
	"fmt"
	"testing"
	"time"

	"retry/policy"
)

// The cost of an event is the same for a thousand clients and for a million: the server's capacity grows with their number. Below
// ten thousand clients, the ticks cost more than the events.
func BenchmarkOutage(b *testing.B) {
	for thousands := 1; thousands <= 1000; thousands *= 10 {
		for _, schedule := range Compared(fromHundred, Shared{})[:2] {
			b.Run(fmt.Sprintf("%d/%s", thousands*1000, schedule.Name), func(b *testing.B) {
				o := outage(b, "clients=%d,limit=%d,step=%d,abandon=yes", thousands*1000, thousands*30, thousands*15)
				benchmarkOutage(b, o, schedule)
			})
		}
	}
}

// A million clients, and a server for a thousand that keeps working on every request: nothing succeeds.
func BenchmarkMillionInVain(b *testing.B) {
	for _, schedule := range Compared(fromHundred, Shared{}) {
		b.Run(schedule.Name, func(b *testing.B) { benchmarkOutage(b, outage(b, "clients=1000000"), schedule) })
	}
}

// The same clients with the default budget.
func BenchmarkBudget(b *testing.B) {
	for thousands := 1; thousands <= 100; thousands *= 10 {
		b.Run(fmt.Sprint(thousands*1000), func(b *testing.B) {
			o := outage(b, "clients=%d,limit=%d,step=%d,abandon=yes", thousands*1000, thousands*30, thousands*15)
			o.Budget = Shared{policy.StandardBudget(), StandardPerMachine}
			benchmarkOutage(b, o, Named{Schedule: fromHundred})
		})
	}
}

// benchmarkOutage counts requests that are sent and requests that end as events.
func benchmarkOutage(b *testing.B, o Outage, schedule Named) {
	events := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range o.Run(schedule.Schedule, 1, nil).Samples {
			events += 2 * (s.OK + s.Timeouts)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(events), "ns/event")
}

// A call of the published program, which takes four events and eight method calls for it, takes CPython some 4 µs.
func BenchmarkContention(b *testing.B) {
	c := contention(b, "clients=100")
	for _, p := range published {
		b.Run(p.name, func(b *testing.B) {
			calls := 0.0
			for b.Loop() {
				calls += float64(c.Repetitions) * c.Run(p.schedule, 1, nil).Rows[0].Calls.Mean
			}
			b.ReportMetric(float64(b.Elapsed())/calls, "ns/call")
		})
	}
}

// Everything that --simulate contention shows by default, once for each schedule.
func BenchmarkContentionAll(b *testing.B) {
	c := contention(b, "")
	for b.Loop() {
		for _, schedule := range Compared(brooker(10*time.Millisecond, nil), Shared{}) {
			c.Run(schedule.Schedule, 1, nil)
		}
	}
}
