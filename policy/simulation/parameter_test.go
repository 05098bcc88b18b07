package simulation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

func TestBadParameters(t *testing.T) {
	outage := func(text string) error { _, err := ParseOutage(text); return err }
	contention := func(text string) error { _, err := ParseContention(text); return err }
	tests := []struct {
		parse func(text string) error
		text  string
		want  string
	}{
		{outage, "client=3", `unknown parameter "client"; use clients, think, limit, delay, growth, step, timeout, ` +
			`abandon, outage, duration`},
		{outage, "clients", `"clients" has no value; use clients=1000`},
		{outage, "clients=", `"clients=" has no value; use clients=1000`},
		{outage, "clients=0", `clients: "0" is not a whole number from 1 to 10000000`},
		{outage, "clients=1e6", `clients: "1e6" is not a whole number from 1 to 10000000`},
		{outage, "clients=1,clients=2", `clients is given twice`},
		{outage, "clients=1,", `unknown parameter ""; use `},
		{outage, "limit=-1", `limit: "-1" is not a whole number from 0 to 2147483647`},
		{outage, "think=soon", `think: "soon" is not a duration; use `},
		{outage, "think=7h", `think: "7h" is more than 6h`},
		{outage, "timeout=0", `timeout: "0" is less than 1ms`},
		{outage, "delay=999us", `delay: "999us" is less than 1ms`},
		{outage, "growth=1", `growth: "1" is not a number above 1 and at most 1000`},
		{outage, "growth=NaN", `growth: "NaN" is not a number above 1 and at most 1000`},
		{outage, "abandon=maybe", `abandon: "maybe" is neither yes nor no`},
		{outage, "outage=20s", `outage: "20s" is not LENGTH@START, as in 20s@20s`},
		{outage, "outage=x@20s", `outage: "x" is not a duration`},
		{outage, "outage=20s@1us", `outage: "1us" is not a multiple of 1ms`},
		{outage, "outage=20s@1s", `outage: "20s@1s" starts too early; use at least 2s, `},
		{outage, "duration=90.5s", `duration: "90.5s" is not a multiple of 1s`},
		{outage, "duration=44s", `duration: 44s is too short; use at least 45s, `},
		{outage, "duration=45s,outage=20s@20.001s", `duration: 45s is too short; use at `},
		{contention, "clients=0", `clients: "0" is not a number of clients; use 100, 10-200 or 10-200/10, with at most 10000 clients`},
		{contention, "clients=20-10", `clients: "20-10" is not a number of clients; use `},
		{contention, "clients=20/10", `clients: "20/10" is not a number of clients; use `},
		{contention, "clients=1-20/0", `clients: "1-20/0" is not a number of clients; use `},
		{contention, "clients=-20", `clients: "-20" is not a number of clients; use `},
		{contention, "clients=10001", `clients: "10001" is not a number of clients; use `},
		{contention, "repetitions=0", `repetitions: "0" is not a whole number from 1 to 1000000`},
		{contention, "spread=-1ms", `spread: "-1ms" is negative`},
	}
	for _, test := range tests {
		if err := test.parse(test.text); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, not %s", test.text, err, test.want)
		}
	}
}

// The bounds themselves are valid.
func TestBounds(t *testing.T) {
	for _, text := range []string{
		"clients=1", "clients=10000000", "think=6h,duration=6h", "think=0", "limit=0", "limit=2147483647", "step=1", "step=2147483647",
		"delay=1ms", "delay=6h", "growth=1000", "growth=1.0000001", "timeout=1ms", "timeout=6h", "outage=0@2s", "duration=45s",
		"duration=46s,outage=20s@20.999s", "duration=6h,outage=5h@59m55s",
	} {
		if _, err := ParseOutage(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"clients=1", "clients=10000", "clients=1-10000/10000", "clients=5-5", "delay=0", "delay=1h", "spread=1h", "spread=0", "repetitions=1",
		"repetitions=1000000",
	} {
		if _, err := ParseContention(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{"5": "[5]", "5-5": "[5]", "5-14": "[5]", "5-15": "[5 15]", "1-3/1": "[1 2 3]", "10-30/7": "[10 17 24]"} {
		if got := fmt.Sprint(contention(t, "clients="+text).Clients); got != want {
			t.Errorf("clients=%s: %s, not %s", text, got, want)
		}
	}
}

func TestParseOutage(t *testing.T) {
	got := outage(t, "clients=7,think=1s,limit=8,delay=1ms,growth=1.5,step=9,timeout=3s,abandon=yes,"+
		"outage=5s@6s,duration=1m")
	want := Outage{Clients: 7, Think: time.Second, Limit: 8, Delay: ms, Growth: 1.5, Step: 9, Timeout: 3 * time.Second,
		Abandon: true, Start: 6 * time.Second, Length: 5 * time.Second, Duration: time.Minute}
	if got != want {
		t.Errorf("%+v", got)
	}
	want = Outage{1000, 10 * time.Second, 30, 100 * ms, 1.05, 15, 2 * time.Second, false, 20 * time.Second,
		20 * time.Second, 2 * time.Minute, Shared{}}
	if got := outage(t, ""); got != want {
		t.Errorf("defaults %+v", got)
	}
}

// The help lists the parameters that are read, and its defaults are the real ones.
func TestParameters(t *testing.T) {
	both := [][]Parameter{OutageParameters(), ContentionParameters()}
	for i, parse := range []func(string) error{
		func(text string) error { _, err := ParseOutage(text); return err },
		func(text string) error { _, err := ParseContention(text); return err },
	} {
		var all []string
		for _, p := range both[i] {
			all = append(all, p.Name+"="+p.Default)
			if p.Help == "" || strings.HasSuffix(p.Help, ".") || strings.Contains(p.Help, "\n") {
				t.Errorf("%s: the help is %q", p.Name, p.Help)
			}
		}
		if err := parse(strings.Join(all, ",")); err != nil {
			t.Error(err)
		}
	}
}

func TestCompared(t *testing.T) {
	this := policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Full{},
		Cap: time.Minute}
	none := Shared{}
	want := []Named{
		{"this", "this schedule", this, none},
		{"none", "no backoff", policy.Schedule{Backoff: policy.Constant(0), Jitter: policy.None{}}, none},
		{"constant", "always 1s", policy.Schedule{Backoff: policy.Constant(time.Second), Jitter: policy.None{}}, none},
		{"unjittered", "the same without jitter", policy.Schedule{Backoff: this.Backoff, Jitter: policy.None{}, Cap: time.Minute}, none},
	}
	if got := Compared(this, none); !slices.Equal(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
	budget := Shared{policy.StandardBudget(), 7}
	want = slices.Concat([]Named{{"this", "this schedule", this, budget}, {"unbudgeted", "the same without the budget", this, none}}, want[1:])
	if got := Compared(this, budget); !slices.Equal(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
}

// The constant schedule sleeps as long as the first sleep of the schedule that it is compared with.
func TestComparedConstant(t *testing.T) {
	for cap, want := range map[time.Duration]string{0: "always 2s", time.Second: "always 1s", time.Minute: "always 2s"} {
		this := policy.Schedule{Backoff: policy.Exponential{Base: 2 * time.Second, Factor: 2}, Jitter: policy.Full{}, Cap: cap}
		if got := Compared(this, Shared{})[2].Label; got != want {
			t.Errorf("with a cap of %v: %s, not %s", cap, got, want)
		}
	}
}

// The jitters compared are those that the schedule doesn't have itself, and decorrelated only if it makes sense.
func TestJittered(t *testing.T) {
	exponential, linear := policy.Exponential{Base: time.Second, Factor: 2}, policy.Linear(time.Second)
	for _, test := range []struct {
		this policy.Schedule
		want string
	}{
		{policy.Schedule{Backoff: exponential, Jitter: policy.None{}}, "[full equal decorrelated]"},
		{policy.Schedule{Backoff: exponential, Jitter: policy.Full{}, Cap: time.Minute}, "[equal decorrelated]"},
		{policy.Schedule{Backoff: exponential, Jitter: policy.Decorrelated{}}, "[full equal]"},
		{policy.Schedule{Backoff: linear, Jitter: policy.Equal{}}, "[full]"},
	} {
		var names []string
		for _, other := range Jittered(test.this) {
			names = append(names, other.Name)
			if other.Schedule.Backoff != test.this.Backoff || other.Schedule.Cap != test.this.Cap {
				t.Errorf("%v: more than the jitter differs in %v", test.this, other.Schedule)
			}
		}
		if got := fmt.Sprint(names); got != test.want {
			t.Errorf("%v: %s, not %s", test.this, got, test.want)
		}
	}
}
