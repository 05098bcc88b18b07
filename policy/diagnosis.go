package policy

import (
	"regexp"
	"time"
)

// Diagnostics selects what to look for in an attempt's output, besides the patterns of rules. The zero value selects
// nothing.
type Diagnostics struct {
	Failures   bool             // failures reported by servers and tools, including HTTP statuses
	Unsent     bool             // whether a request may have been processed
	Script     bool             // the command runs other commands and may tolerate some of their failures
	RetryAfter bool             // how long a server asks to wait
	Hints      []*regexp.Regexp // the same in the user's formats, in the first group
}

// Nothing reports whether nothing is selected.
func (d Diagnostics) Nothing() bool { return !d.Failures && !d.RetryAfter && len(d.Hints) == 0 }

// Diagnosis is what an attempt's output reveals.
type Diagnosis struct {
	HTTP     int           // status of the last response, 0 for none
	Shown    bool          // the output includes its status line
	Last     bool          // nothing follows that response, so it counts whatever the command's exit status is
	Asked    bool          // a server asked to wait
	Hint     time.Duration // how long
	Ignored  error         // why the last unusable hint was ignored
	Failure  Failure       // what went wrong; the category is empty if unknown
	Evidence Evidence      // the line that reports the failure

	Processed bool // something besides Failure indicates that a request may have been processed
}

// Evidence is a line of the output.
type Evidence struct {
	Stream int // 0 for standard output, 1 for standard error
	Text   string
}

// unsent reports whether the failed request was certainly not processed: the server never received it or refused it. A
// 503 counts as refused if it asks to come back later.
func (d *Diagnosis) unsent() bool {
	return d.Failure.Unsent || d.Failure.HTTP == 503 && d.Asked
}

// Diagnoser reads the output of one attempt. The two streams may be written concurrently: the result doesn't depend on how
// they interleave.
type Diagnoser struct {
	Diagnostics
	streams [2]reader
}

// Reset prepares for another attempt.
func (d *Diagnoser) Reset() {
	for i := range d.streams {
		d.streams[i].reset()
	}
}

// Write adds the next block of standard output (0) or standard error (1).
func (d *Diagnoser) Write(stream int, block []byte) {
	d.streams[stream].page = stream == 0
	d.streams[stream].write(block)
}

// Diagnosis returns what the output has revealed so far. now is the wall clock time, for dates.
func (d *Diagnoser) Diagnosis(now time.Time) Diagnosis {
	var told [2]testimony
	for i := range d.streams {
		told[i] = d.streams[i].testify(&d.Diagnostics, i, now)
	}
	diagnosis := told[1].or(&told[0])
	diagnosis.Last = diagnosis.Shown && told[0].last && told[1].last
	return diagnosis
}

// testimony is what one stream reveals.
type testimony struct {
	Diagnosis
	weak bool // the failure may be a consequence of another one
	last bool // nothing follows the last response
}

// or combines t, from standard error, with out, from standard output. An error message takes precedence over a response
// or page on standard output, and a cause over a consequence.
func (t *testimony) or(out *testimony) Diagnosis {
	main, other := t, out
	switch {
	case t.Failure.Category == "" && !(t.Shown && out.Failure.Category == ""),
		t.weak && !out.weak && out.Failure.Category != "",
		t.weak && out.weak && !t.Failure.Transient && out.Failure.Transient:
		main, other = out, t
	}
	d := main.Diagnosis
	same := d.HTTP == other.HTTP
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
	if same && other.Shown && d.Failure.HTTP != 0 {
		d.Failure = other.Failure // the response says more than a message about it
	}
	d.Processed = d.Processed || other.Processed ||
		other.Failure.Category != "" && !other.unsent() && !(same && d.unsent()) ||
		other.Failure.Category == "" && other.HTTP >= 200 && !same
	return d
}
