package review

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"
	"unicode"
)

// A Review evaluates report lines.
type Review struct {
	Since time.Time // lines written earlier are left out, unless it is zero
	Only  string    // lines of other labels are left out, unless it is empty

	All    *Group
	Groups map[string]*Group // by label
	From   time.Time         // the earliest end of a call
	Until  time.Time         // the latest end of a call

	Lines      int // lines that are not empty
	Torn       int // lines of which only a part was written
	Foreign    int // lines not written by retry
	Newer      int // lines of an unknown, newer version
	Incomplete int // calls that ended, but of which not all attempts were found; not counted as outages
	Jumped     int // calls whose times contradict each other; not counted as outages
	Dropped    int // calls without an end that were forgotten, because more than 65536 others came

	line        line
	calls       calls
	reasons     map[string]string
	schedules   map[string]string
	since       int64
	from, until int64
}

// New returns a review that has read nothing yet.
func New() *Review {
	return &Review{
		All: &Group{}, Groups: map[string]*Group{}, reasons: map[string]string{}, schedules: map[string]string{},
	}
}

// mostLine limits the length of a line. A longer one is not retry's, or has arguments that don't matter here.
const mostLine = 1 << 20

// Read reads lines to the end. After each block it calls progress with the number of bytes read, and stops if that returns
// false.
func (r *Review) Read(in io.Reader, progress func(read int64) bool) error {
	if !r.Since.IsZero() {
		r.since = r.Since.UnixNano()
	}
	buffer := make([]byte, mostLine)
	held, read, skipping := 0, int64(0), false
	for {
		n, err := in.Read(buffer[held:])
		read += int64(n)
		rest := buffer[:held+n]
		for {
			end := bytes.IndexByte(rest[min(held, len(rest)):], '\n')
			if end < 0 {
				break
			}
			end += min(held, len(rest))
			held = 0
			if !skipping {
				r.take(rest[:end])
			}
			skipping, rest = false, rest[end+1:]
		}
		held = copy(buffer, rest)
		if held == len(buffer) {
			if !skipping {
				r.Lines++
				r.Foreign++
			}
			held, skipping = 0, true
		}
		if goOn := progress(read); err == nil && goOn {
			continue
		}
		if held > 0 && !skipping && err != nil {
			r.take(buffer[:held])
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
}

// take evaluates a line.
func (r *Review) take(text []byte) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return
	}
	r.Lines++
	l := &r.line
	if !l.read(text) {
		if !bytes.HasPrefix(text, []byte(firstKey)) {
			r.Foreign++
			return
		}
		r.Torn++
		if !r.mend(text) {
			return
		}
	}
	switch {
	case l.version > 1:
		r.Newer++
		return
	case l.version != 1 || l.call == 0 || l.label == nil:
		r.Foreign++
		return
	}
	if l.event == otherEvent || r.Only != "" && string(l.label) != r.Only || !r.recent(l) {
		return
	}
	r.follow(l)
}

// firstKey is the beginning of every report line.
const firstKey = `{"v":`

// mend reads the line that follows a torn one without a newline between them.
func (r *Review) mend(text []byte) bool {
	begin := bytes.LastIndex(text, []byte(firstKey))
	return begin > 0 && r.line.read(text[begin:])
}

// recent reports whether the line's time lies in the period to be counted, and extends the period that the review covers.
func (r *Review) recent(l *line) bool {
	if r.since == 0 && l.event != resultEvent {
		return true
	}
	at, ok := moment(l.time)
	if !ok || at < r.since {
		return r.since == 0
	}
	if l.event == resultEvent {
		if r.from == 0 || at < r.from {
			r.from = at
		}
		r.until = max(r.until, at)
	}
	return true
}

// follow adds a line to its call.
func (r *Review) follow(l *line) {
	c := r.calls.find(l.call)
	if c == nil {
		c = r.calls.add(l.call, r.group(l.label), r.forget)
	}
	switch l.event {
	case startEvent:
		c.started = true
	case attemptEvent:
		reason := ""
		if string(l.verdict) != "success" {
			reason = intern(r.reasons, l.reason)
		}
		c.attempt(l, reason)
	case resultEvent:
		r.result(l, c)
	}
	if c.complete() {
		r.finish(c)
		r.calls.remove(c.key)
	}
}

// group returns the group of a label.
func (r *Review) group(label []byte) *Group {
	g := r.Groups[string(label)]
	if g == nil {
		g = &Group{Label: printable(label)}
		r.Groups[string(label)] = g
	}
	return g
}

// result evaluates the end of a call.
func (r *Review) result(l *line, c *call) {
	if c.ended {
		return
	}
	c.ended, c.success, c.attempts = true, l.success, l.attempts
	if l.ran >= 0 && l.slept >= 0 {
		c.ranAndSlept = l.ran + l.slept
	}
	c.schedule = intern(r.schedules, l.schedule)
	for _, g := range []*Group{c.group, r.All} {
		g.end(l)
	}
	if !l.whole {
		return
	}
	c.counted = true
	c.failures = c.failures[:0]
	for _, f := range l.failures {
		c.failures = append(c.failures, named{intern(r.reasons, f.reason), f.count})
	}
	c.failedTime = max(0, l.failed)
	r.failures(c)
	if l.down >= 0 {
		r.outage(c, l.down, l.up)
	}
}

// finish counts what can only be known when all lines of a call have been read.
func (r *Review) finish(c *call) {
	if c.counted {
		return
	}
	c.counted = true
	r.failures(c)
	down, up, ok := c.outage()
	if ok && !c.steady() {
		r.Jumped++
	} else if ok {
		r.outage(c, down, up)
	}
}

// failures counts the failed attempts of a call that has ended.
func (r *Review) failures(c *call) {
	for _, g := range []*Group{c.group, r.All} {
		for _, f := range c.failures {
			g.failed(f.reason, f.count, c.success)
		}
		g.FailedTime += c.failedTime
	}
}

// outage counts how long a call's failure lasted.
func (r *Review) outage(c *call, down, up float64) {
	attempts := c.failed()
	if up >= 0 {
		attempts++
	}
	for _, g := range []*Group{c.group, r.All} {
		g.outage(down, up, attempts)
		if c.schedule != "" {
			g.used(c.schedule)
		}
	}
}

// forget evaluates a call that is no longer followed, because there are too many others.
func (r *Review) forget(c *call) {
	switch {
	case !c.ended:
		r.Dropped++
	case !c.counted:
		r.Incomplete++
	}
}

// Close counts the calls that have no end. Nothing can be read after it.
func (r *Review) Close() {
	r.calls.each(func(c *call) {
		switch {
		case c.counted:
		case c.ended && c.read >= c.attempts:
			r.finish(c)
		case c.ended:
			r.Incomplete++
			r.failures(c)
		default:
			r.unended(c)
		}
	})
	r.calls = calls{}
	if r.from != 0 {
		r.From, r.Until = time.Unix(0, r.from).UTC(), time.Unix(0, r.until).UTC()
	}
}

// unended counts a call for which no line reports an end. What is known about its failures counts as an outage.
func (r *Review) unended(c *call) {
	for _, g := range []*Group{c.group, r.All} {
		g.Unended++
	}
	if down, up, ok := c.outage(); ok {
		r.outage(c, down, up)
	}
}

// mostTexts limits the number of different reasons, and of different schedules.
const mostTexts = 1000

// Other stands for all texts beyond that limit.
const Other = "(other)"

// intern returns the one copy of a text that is kept.
func intern(known map[string]string, text []byte) string {
	if s, ok := known[string(text)]; ok {
		return s
	}
	if len(known) >= mostTexts {
		return Other
	}
	s := printable(text)
	known[string(text)] = s
	return s
}

// printable replaces characters that would break a line or disturb a terminal, because a file can contain anything.
func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, string(text))
}
