package simulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"retry/policy"
)

// Outage is the model of clients that share one server, which stops for a while.
//
// Source: Andrey Smirnov, 'Exponential Backoff, or how not to bring the server down', 2014, and its program,
// github.com/smira/exponential-backoff. The defaults and these rules come from there:
//   - A client thinks for an exponentially distributed time, sends a request and waits. It starts by thinking.
//   - The server checks a request 50 ms after accepting it and every 50 ms from then on. It answers a request that is as
//     old as [Outage.Answer] demands for the number of pending requests at that moment. So nothing is answered within
//     50 ms. The age counts from the acceptance and includes the time for which the server is stopped.
//   - A client that has no answer in time has failed, sleeps according to its schedule and sends a new request. A success
//     resets the schedule, and the client thinks again.
//   - The published server goes on with a request whose client has given up (Abandon is false). A server that watches
//     its connections drops it at once (Abandon is true).
//   - While the server is stopped, as by SIGSTOP, it accepts, checks and answers nothing. The requests sent meanwhile
//     are pending, and are all accepted at the end. Those that are dropped leave at once here too: a real server would
//     find their connections closed before doing anything else.
//
// The source leaves the resolution of time to the operating system. Here the server's clock ticks every millisecond. A
// request that arrives between two ticks is accepted at the next one, so the requests of one tick have the same age, and
// at a tick the oldest are checked first. Everything else is exact to the nanosecond.
//
// Budgets are an addition. With a budget, the clients of a machine share a token bucket, which is full at the start:
//   - A client that has failed takes a token before it sleeps, as retry does. First requests are free.
//   - If there is no token, the call has failed for good: the client thinks, as after a success, and its next call starts
//     the schedule again. So if a schedule sleeps longer than a client thinks, giving up lets the client send more, not
//     less: a budget limits retries, not calls.
//   - A success gives back part of a token, whether it took a retry or not.
//   - The clients of a machine reach their bucket in the order of time, to the nanosecond.
//   - The cost of locking and reading a bucket is not modelled. Neither is the time for which a server's Retry-After
//     holds back all retries of a budget, since this server sends none.
//
// Two properties of the published client are not modelled, because the schedule under test replaces them: its first sleep is
// derived from the last time for which it thought, and its noise is 0.1 s however long the sleep.
type Outage struct {
	Clients  int
	Think    time.Duration // the mean time from a success to the next request
	Limit    int           // pending requests that don't slow the server down
	Delay    time.Duration // the age at which a request is answered up to the limit
	Growth   float64       // the factor of that age ...
	Step     int           // ... for this many pending requests above the limit
	Timeout  time.Duration // how long a client waits for an answer
	Abandon  bool          // whether the server drops a request when its client gives up
	Start    time.Duration // when the server stops
	Length   time.Duration // how long it is stopped
	Duration time.Duration // the end of the run
	Budget   Shared        // of retries
}

// Every is the time between two checks of a request.
const Every = 50 * time.Millisecond

// tick is the resolution of the server's clock.
const tick = time.Millisecond

const (
	mostClients = 10_000_000
	mostTime    = 6 * time.Hour
	settling    = 2 * time.Second // the least time before the outage, which shows what is normal
	window      = 5               // seconds; the published client reports over the same time
)

var outageSettings = []setting[Outage]{
	{Parameter{"clients", "1000", "how many clients share the server"},
		func(o *Outage, text string) (err error) { o.Clients, err = whole(text, 1, mostClients); return }},
	{Parameter{"think", "10s", "mean time from a success to the next request, exponentially distributed"},
		func(o *Outage, text string) (err error) { o.Think, err = multiple(text, 1, mostTime); return }},
	{Parameter{"limit", "30", "pending requests that don't slow the server down"},
		func(o *Outage, text string) (err error) { o.Limit, err = whole(text, 0, math.MaxInt32); return }},
	{Parameter{"delay", "100ms", "time to serve a request up to the limit; the server checks every 50ms"},
		func(o *Outage, text string) (err error) { o.Delay, err = ticks(text); return }},
	{Parameter{"growth", "1.05", "factor by which that time grows with each step above the limit"},
		func(o *Outage, text string) (err error) { o.Growth, err = growth(text); return }},
	{Parameter{"step", "15", "pending requests that make one step"},
		func(o *Outage, text string) (err error) { o.Step, err = whole(text, 1, math.MaxInt32); return }},
	{Parameter{"timeout", "2s", "how long a client waits for an answer"},
		func(o *Outage, text string) (err error) { o.Timeout, err = ticks(text); return }},
	{Parameter{"abandon", "no", "whether the server drops a request whose client has given up: yes or no"},
		func(o *Outage, text string) (err error) { o.Abandon, err = yes(text); return }},
	{Parameter{"outage", "20s@20s", "how long the server stops, and when: LENGTH@START"},
		func(o *Outage, text string) (err error) { o.Length, o.Start, err = interval(text); return }},
	{Parameter{"duration", "2m", "length of the simulation, in whole seconds"},
		func(o *Outage, text string) (err error) {
			o.Duration, err = multiple(text, time.Second, mostTime)
			return
		}},
}

// OutageParameters lists the parameters that [ParseOutage] reads.
func OutageParameters() []Parameter { return parameters(outageSettings) }

// ParseOutage reads NAME=VALUE,…; a parameter that is not given has its default. An error names the parameter.
func ParseOutage(text string) (Outage, error) {
	o, err := parse(text, outageSettings)
	if err != nil {
		return o, err
	}
	if least := o.Start + o.Length + window*time.Second; o.Duration < least {
		return o, fmt.Errorf("duration: %v is too short; use at least %v, %d seconds after the outage", o.Duration, least, window)
	}
	return o, nil
}

func growth(text string) (float64, error) {
	g, err := strconv.ParseFloat(text, 64)
	if err != nil || !(g > 1 && g <= 1000) {
		return 0, fmt.Errorf("%q is not a number above 1 and at most 1000", text)
	}
	return g, nil
}

// ticks reads a duration of at least a tick, because the server's clock can't resolve less.
func ticks(text string) (time.Duration, error) {
	d, err := multiple(text, 1, mostTime)
	if err == nil && d < tick {
		err = fmt.Errorf("%q is less than %v", text, tick)
	}
	return d, err
}

// interval reads LENGTH@START.
func interval(text string) (length, start time.Duration, err error) {
	lengthText, startText, found := strings.Cut(text, "@")
	if !found {
		return 0, 0, fmt.Errorf("%q is not LENGTH@START, as in 20s@20s", text)
	}
	if length, err = multiple(lengthText, tick, mostTime); err != nil {
		return 0, 0, err
	}
	if start, err = multiple(startText, tick, mostTime); err != nil {
		return 0, 0, err
	}
	if start < settling {
		err = fmt.Errorf("%q starts too early; use at least %v, so that the model sees what is normal", text, settling)
	}
	return length, start, err
}

// Answer returns the age at which a request is answered while this many are pending, itself included:
//
//	Delay · Growth^((inHand - Limit) / Step), and Delay up to the limit
func (o Outage) Answer(inHand int64) time.Duration {
	steps := float64(max(0, inHand-int64(o.Limit))) / float64(o.Step)
	return round(float64(o.Delay) * math.Pow(o.Growth, steps))
}

// Memory returns the number of bytes that a run takes, to about a tenth.
func (o Outage) Memory() int64 {
	const perClient, perTick, fixed = 136, 16, 16_384 // a client and its place in two lists; the lists and the counter of a tick
	bytes := fixed + perClient*int64(o.Clients) + perTick*int64(o.Duration/tick)
	if o.Budget.PerMachine > 0 {
		bytes += int64(unsafe.Sizeof(policy.Bucket{})) * int64(o.Clients/o.Budget.PerMachine)
	}
	return bytes
}

// most returns the greatest number of pending requests with which a request of that age is answered, or a negative number if there
// is none. It is the inverse of Answer, corrected for rounding.
func (o Outage) most(age time.Duration) int64 {
	if age < o.Delay {
		return -1
	}
	const plenty = 1 << 50
	above := float64(o.Step) * math.Log(float64(age)/float64(o.Delay)) / math.Log(o.Growth)
	if above >= plenty {
		return plenty
	}
	n := int64(o.Limit) + int64(above)
	for o.Answer(n+1) <= age {
		n++
	}
	for o.Answer(n) > age {
		n--
	}
	return n
}
