package simulation

import (
	"fmt"
	"strings"
	"time"

	"retry/policy"
)

// Contention is the model of clients that start together to update one versioned row. A client reads the version and
// writes. The write succeeds if that version is still current; otherwise the client sleeps by its schedule and reads again.
//
// Source: Marc Brooker, 'Exponential Backoff and Jitter', AWS Architecture Blog, 2015, and its program,
// github.com/aws-samples/aws-arch-backoff-simulator. Every message (read, its answer, write, its answer) takes
// |N(10 ms, 2 ms)|, including the read after a sleep; a call is a write; the time is that of the last answer.
//
// The program's first sleep is twice its base, which is the nominal delay 1 here: its base 5 ms is base 10 ms. Its
// decorrelated jitter is not shifted like that.
type Contention struct {
	Clients     []int         // the numbers of clients, one for each row
	Delay       time.Duration // the mean of a message's delay
	Spread      time.Duration // its standard deviation
	Repetitions int           // runs for each row
}

var contentionSettings = []setting[Contention]{
	{Parameter{"clients", "10-200", "how many clients start together: N, or FROM-TO in steps of 10, or FROM-TO/STEP"},
		func(c *Contention, text string) (err error) { c.Clients, err = sizes(text); return }},
	{Parameter{"delay", "10ms", "mean of the time a message takes"},
		func(c *Contention, text string) (err error) { c.Delay, err = multiple(text, 1, time.Hour); return }},
	{Parameter{"spread", "2ms", "standard deviation of the time a message takes"},
		func(c *Contention, text string) (err error) { c.Spread, err = multiple(text, 1, time.Hour); return }},
	{Parameter{"repetitions", "100", "runs that the means are taken over"},
		func(c *Contention, text string) (err error) { c.Repetitions, err = whole(text, 1, 1_000_000); return }},
}

// ContentionParameters lists the parameters that [ParseContention] reads.
func ContentionParameters() []Parameter { return parameters(contentionSettings) }

// ParseContention reads NAME=VALUE,…; a parameter that is not given has its default. An error names the parameter.
func ParseContention(text string) (Contention, error) { return parse(text, contentionSettings) }

// mostContenders limits the number of clients. Without backoff the calls grow with its square.
const mostContenders = 10_000

// sizes reads N, FROM-TO or FROM-TO/STEP.
func sizes(text string) ([]int, error) {
	span, stepText, stepped := strings.Cut(text, "/")
	fromText, toText, ranged := strings.Cut(span, "-")
	if !stepped {
		stepText = "10"
	}
	if !ranged {
		toText = fromText
	}
	from, err1 := whole(fromText, 1, mostContenders)
	to, err2 := whole(toText, 1, mostContenders)
	step, err3 := whole(stepText, 1, mostContenders)
	if err1 != nil || err2 != nil || err3 != nil || from > to || stepped && !ranged {
		return nil, fmt.Errorf("%q is not a number of clients; use 100, 10-200 or 10-200/10, with at most %d clients",
			text, mostContenders)
	}
	var list []int
	for n := from; n <= to; n += step {
		list = append(list, n)
	}
	return list, nil
}

// ContentionRow is the result for one number of clients.
type ContentionRow struct {
	Clients     int
	Repetitions int    // fewer than asked for if the run was interrupted
	Calls       Spread // writes, including those that succeeded
	Time        Spread // milliseconds until the last client knows that it is done
}

// ContentionResult has a row for each number of clients.
type ContentionResult struct {
	Rows []ContentionRow
	// Complete is false if the run was interrupted: the last row may have fewer repetitions than asked for, and rows may be
	// missing.
	Complete bool
}

// Run simulates a schedule.
func (c Contention) Run(schedule policy.Schedule, seed uint64, progress Progress) ContentionResult {
	var result ContentionResult
	work := effort{progress: progress}
	for _, n := range c.Clients {
		work.total += float64(n) * float64(n) * float64(c.Repetitions)
	}
	for _, n := range c.Clients {
		row := c.row(n, schedule, seed, &work)
		if row.Repetitions > 0 {
			result.Rows = append(result.Rows, row)
		}
		if row.Repetitions < c.Repetitions {
			return result
		}
	}
	result.Complete = true
	return result
}

func (c Contention) row(n int, schedule policy.Schedule, seed uint64, work *effort) ContentionRow {
	var calls, milliseconds sample
	race := newRace(c, n, schedule)
	for repetition := range c.Repetitions {
		count, end, finished := race.run(seed, uint64(repetition), work)
		if !finished {
			break
		}
		calls.add(float64(count))
		milliseconds.add(float64(end) / 1e6)
		work.done += float64(n) * float64(n)
	}
	return ContentionRow{n, calls.n, calls.spread(), milliseconds.spread()}
}

// effort is how much of a run is done. A repetition of n clients counts n², since that is how the calls grow in long runs.
type effort struct {
	progress    Progress
	done, total float64
}

func (e *effort) goOn() bool { return e.progress.goOn(e.done / e.total) }
