package simulation_test

import (
	"fmt"
	"time"

	"retry/policy"
	"retry/policy/simulation"
)

// How many calls 50 clients need to update one row, with jitter and without.
func ExampleContention() {
	model, err := simulation.ParseContention("clients=50,repetitions=10")
	if err != nil {
		panic(err)
	}
	for _, jitter := range []policy.Jitter{policy.None{}, policy.Full{}} {
		schedule := policy.Schedule{
			Backoff: policy.Exponential{Base: 10 * time.Millisecond, Factor: 2}, Jitter: jitter, Cap: 2 * time.Second,
		}
		row := model.Run(schedule, 1, nil).Rows[0]
		fmt.Printf("%s: %.0f calls\n", jitter, row.Calls.Mean)
	}
	// Output:
	// none: 610 calls
	// full: 332 calls
}
