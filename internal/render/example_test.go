package render_test

import (
	"os"
	"time"

	"retry/internal/render"
	"retry/policy"
)

// The plan of three attempts, as a file.
func ExamplePlan_CSV() {
	plan := render.NewPlan(render.Plan{
		Schedule: policy.Schedule{
			Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Full{}, Cap: time.Minute,
		},
		Attempts: 3,
	}, nil)
	if err := plan.CSV(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// retry,sleep_min,sleep_mean,sleep_max,elapsed_min,elapsed_mean,elapsed_max
	// 1,0.000,0.500,1.000,0.000,0.500,1.000
	// 2,0.000,1.000,2.000,0.000,1.500,3.000
}
