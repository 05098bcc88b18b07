package policy

import (
	"regexp"
	"time"
)

// Diagnostics is what an attempt's output is read for, beside the patterns of rules. The zero value is nothing.
type Diagnostics struct {
	Failures   bool             // what servers and tools say of failures, HTTP statuses among it
	Unsent     bool             // it matters whether something may have been processed
	Script     bool             // the command runs others, some of whose failures it may tolerate
	RetryAfter bool             // how long a server asks to wait
	Hints      []*regexp.Regexp // the same in forms of the user's: the first group
}

// Nothing reports whether there is nothing to read for.
func (d Diagnostics) Nothing() bool { return !d.Failures && !d.RetryAfter && len(d.Hints) == 0 }

// Diagnosis is what an attempt's output told.
type Diagnosis struct {
	HTTP     int           // the status of the last response, 0 for none
	Shown    bool          // its status line was there
	Last     bool          // and nothing after it, so that it counts whatever the command's own status
	Asked    bool          // a server asked to wait
	Hint     time.Duration // for so long
	Ignored  error         // why the last hint that could not be used was not
	Failure  Failure       // what went wrong; its category is empty where nothing told
	Evidence Evidence      // the line that told it

	Processed bool // something else tells that a request may have been processed
}

// Evidence is a line of the output.
type Evidence struct {
	Stream int // 0 for standard output, 1 for standard error
	Text   string
}

// unsent reports whether the failure is one of a request that was not processed: the server has said so, or never got
// it. A 503 says so by asking to come back.
func (d *Diagnosis) unsent() bool {
	return d.Failure.Unsent || d.Failure.HTTP == 503 && d.Asked
}

// Diagnoser follows the output of one attempt. The streams may be written to at the same time: what one tells never
// depends on when the other is read.
type Diagnoser struct {
	Diagnostics
	streams [2]reader
}

// Reset starts another attempt.
func (d *Diagnoser) Reset() {
	for i := range d.streams {
		d.streams[i].reset()
	}
}

// Write takes the next block of standard output (0) or standard error (1).
func (d *Diagnoser) Write(stream int, block []byte) {
	d.streams[stream].page = stream == 0
	d.streams[stream].write(block)
}

// Diagnosis is what the output has told by now.
func (d *Diagnoser) Diagnosis(now time.Time) Diagnosis {
	var told [2]testimony
	for i := range d.streams {
		told[i] = d.streams[i].testify(&d.Diagnostics, i, now)
	}
	diagnosis := told[1].or(&told[0])
	diagnosis.Last = diagnosis.Shown && told[0].last && told[1].last
	return diagnosis
}

// testimony is what one stream tells.
type testimony struct {
	Diagnosis
	weak bool // the failure may be the consequence of another
	last bool // nothing follows the last response
}

// or is what two streams tell together; t is standard error. A line of an error message counts more than a response or
// a page on standard output, and a cause more than a consequence.
func (t *testimony) or(out *testimony) Diagnosis {
	main, other := t, out
	switch {
	case t.Failure.Category == "" && !(t.Shown && out.Failure.Category == ""),
		t.weak && !out.weak && out.Failure.Category != "",
		t.weak && out.weak && !t.Failure.Transient && out.Failure.Transient:
		main, other = out, t
	}
	d := main.Diagnosis
	same := d.HTTP == other.HTTP || d.HTTP == 0 && d.Failure.Category == ""
	if d.HTTP == 0 {
		d.HTTP, d.Shown = other.HTTP, other.Shown
	}
	if same && other.Shown {
		d.Shown = true
	}
	if !d.Asked && other.Asked && (same || other.HTTP == 0 || d.Failure.HTTP == 0) {
		d.Asked, d.Hint = true, other.Hint
	}
	if d.Ignored == nil {
		d.Ignored = other.Ignored
	}
	if same && other.Failure.Throttled && !d.Failure.Throttled && d.Failure.HTTP != 0 {
		d.Failure = other.Failure
	}
	d.Processed = d.Processed || other.Processed ||
		other.Failure.Category != "" && !other.unsent() && !(same && d.unsent()) ||
		other.Failure.Category == "" && other.HTTP >= 200 && !same
	return d
}
