package policy_test

import (
	"fmt"
	"time"

	"retry/policy"
)

// The first sleeps of a schedule without jitter: they double up to the cap.
func ExampleSchedule() {
	schedule := policy.Schedule{
		Backoff: policy.Exponential{Base: time.Second, Factor: 2},
		Jitter:  policy.None{},
		Cap:     10 * time.Second,
	}
	sequence := schedule.Start(nil)
	for range 6 {
		fmt.Print(sequence.Next(), " ")
	}
	// Output: 1s 2s 4s 8s 10s 10s
}

// With jitter the sleeps are random, but the same seed gives the same sleeps.
func ExampleSchedule_seed() {
	schedule := policy.Schedule{
		Backoff: policy.Exponential{Base: time.Second, Factor: 2},
		Jitter:  policy.Full{},
		Cap:     time.Minute,
	}
	sequence := schedule.Start(policy.NewRand(42, policy.SleepStream))
	for range 4 {
		fmt.Println(policy.FormatDuration(sequence.Next()))
	}
	// Output:
	// 858ms
	// 1.921s
	// 545ms
	// 708ms
}

func ExampleParseDuration() {
	for _, text := range []string{"90", "1m30s", "1d12h", "1 hour"} {
		fmt.Println(policy.ParseDuration(text))
	}
	// Output:
	// 1m30s <nil>
	// 1m30s <nil>
	// 36h0m0s <nil>
	// 0s "1 hour" is not a duration; use 90s, 1m30s, 250ms, 2d or a number of seconds
}

func ExampleFormatDuration() {
	fmt.Println(policy.FormatDuration(131415926 * time.Nanosecond))
	fmt.Println(policy.FormatDuration(1734 * time.Millisecond))
	fmt.Println(policy.FormatDuration(123456 * time.Millisecond))
	fmt.Println(policy.FormatDuration(2 * time.Hour))
	// Output:
	// 131ms
	// 1.734s
	// 2m3s
	// 2h
}

// By convention, EX_TEMPFAIL (75) means a failure that is worth retrying.
func ExampleRules_Judge() {
	temporary, err := policy.ParseRule("75", nil)
	if err != nil {
		panic(err)
	}
	rules := policy.Rules{RetryIf: []policy.Rule{temporary}}
	for _, status := range []int{0, 75, 1} {
		verdict := rules.Judge(policy.Outcome{Status: status})
		fmt.Printf("%v: %s\n", verdict.Decision, verdict.Reason())
	}
	// Output:
	// success: exit status 0
	// retry: exit status 75
	// stop: exit status 1 matches no --retry-if rule
}

// A sleep is at least as long as the server asks, and varies so that clients don't all return at once.
func ExampleParseRetryAfter() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"120", "Sat, 21 Nov 2026 12:00:30 GMT", "-1"} {
		fmt.Println(policy.ParseRetryAfter(text, now))
	}
	// Output:
	// 2m0s <nil>
	// 30s <nil>
	// 0s it is negative
}

func ExampleDiagnoser() {
	for _, line := range []string{
		"curl: (22) The requested URL returned error: 404\n",
		"ssh: connect to host example.com port 22: Connection refused\n",
	} {
		d := policy.Diagnoser{Diagnostics: policy.Diagnostics{Failures: true}}
		d.Write(1, []byte(line))
		failure := d.Diagnosis(time.Now()).Failure
		fmt.Printf("%s: transient %v, by %s\n", failure.Category, failure.Transient, failure.Rule)
	}
	// Output:
	// HTTP 404: transient false, by http/status
	// connection refused: transient true, by network/refused
}
