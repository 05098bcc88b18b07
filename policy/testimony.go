package policy

import (
	"bytes"
	"strings"
	"time"
)

// Limits on the distance of a failure from the end, in lines.
const (
	linesRead       = 300 // any failure; blank lines count
	permanentNear   = 120 // a permanent failure; a usage message may follow
	consequenceNear = 12  // a permanent failure that may be a consequence of another failure
	warningNear     = 2   // a permanent failure in a warning
	wrappedAt       = 160 // in bytes: longer lines are not joined with the next one
	causeNear       = 40  // a cause from its consequence
)

// finding is a failure that a line reports.
type finding struct {
	Failure
	weak   bool
	warned bool   // weak only because the line is a warning
	text   string // the line
	index  int    // lines after it
}

// testify returns what the stream reveals.
func (r *reader) testify(d *Diagnostics, stream int, now time.Time) testimony {
	var t testimony
	head := &r.response
	line, length, asked := head.read(now)
	t.last = r.last(length)
	if head.status != 0 {
		t.HTTP, t.Shown, t.Failure = head.status, head.shown, head.failure(asked)
		t.Evidence = Evidence{stream, line}
		t.Processed = r.processed
	}
	before, after := r.split()
	page := stream == 0 && head.status >= 200
	if d.Failures {
		t.read(splitLines(lastLines(after)), stream, page, d)
		if d.Unsent && (r.total > tailLength || t.Failure.Category != "" && earlier(splitLines(lastLines(before)))) {
			t.Processed = true
		}
	}
	if !d.RetryAfter {
		asked = hints{}
	}
	asked.lines(after, d, page, now)
	t.Asked, t.Hint, t.Ignored = asked.settle(t.Failure.Throttled || head.status == 429 || head.status == 403)
	return t
}

// lastLines returns the last [linesRead] lines of a text.
func lastLines(text []byte) []byte {
	start := len(text)
	for range linesRead + 1 {
		start = max(0, bytes.LastIndexAny(text[:start], "\n\r"))
	}
	return text[start:]
}

// split returns the parts of the tail before the last response and after its head.
func (r *reader) split() (before, after []byte) {
	tail := r.end()
	if r.response.status == 0 {
		return nil, tail
	}
	start := r.total - int64(len(tail))
	begin, end := r.response.begin-start, r.response.end-start
	if r.response.end == 0 {
		end = int64(len(tail))
	}
	return tail[:max(0, begin)], tail[max(0, end):]
}

// read adds what the lines after the last response reveal.
func (t *testimony) read(lines []string, stream int, page bool, d *Diagnostics) {
	causes, weak := findings(lines, d.Script)
	if page {
		if cause := lastOf(causes, func(f finding) bool { return f.Throttled && t.Failure.HTTP != 0 }); cause != nil {
			t.Failure.Transient, t.Failure.Throttled, t.Failure.Rule = true, true, cause.Rule
			t.Evidence = Evidence{stream, cause.text}
		}
		return
	}
	var told *finding
	if len(causes) > 0 {
		told = &causes[0]
	}
	if len(weak) > 0 && (told == nil || told.index-weak[0].index > causeNear) && t.Failure.Category == "" {
		told, t.weak = likely(weak), true
	}
	if told == nil {
		return
	}
	if t.HTTP >= 200 && !t.unsent() && told.HTTP != t.HTTP {
		t.Processed = true
	}
	for i := range causes {
		if c := &causes[i]; !c.Unsent && c.Category != told.Category {
			t.Processed = true
		}
	}
	if told.HTTP != 0 && told.HTTP == t.Failure.HTTP {
		return // the response says more
	}
	t.Failure, t.Evidence = told.Failure, Evidence{stream, told.text}
	if told.HTTP != 0 {
		t.HTTP, t.Shown = told.HTTP, false
	}
}

// likely returns the one of the possible consequences, the last first, that says most about the cause.
func likely(weak []finding) *finding {
	told := &weak[0]
	if told.Rule == "word/network" && len(weak) > 1 && weak[1].warned && weak[1].index == told.index+1 {
		return &weak[1] // a warning names what "failed to download" leaves out
	}
	for i := range weak {
		if w := &weak[i]; !told.Transient && w.Transient && w.index-told.index <= causeNear {
			told = w // "not found" because it could not be fetched
		}
	}
	return told
}

// earlier reports whether lines before the last response indicate that a request may have been processed.
func earlier(lines []string) bool {
	causes, _ := findings(lines, false)
	return lastOf(causes, func(f finding) bool { return !f.Unsent }) != nil
}

func lastOf(all []finding, is func(finding) bool) *finding {
	for i := range all {
		if is(all[i]) {
			return &all[i]
		}
	}
	return nil
}

// findings returns the failures that the lines report, causes and possible consequences, each with the last one first.
func findings(lines []string, script bool) (causes, weak []finding) {
	if len(lines) == 0 {
		return nil, nil
	}
	present := rules().in(strings.Join(lines, " ") + " " + unwrapped(lines))
	read := present.remembering()
	told := false // the next line reports something
	for i := len(lines) - 1; i >= 0; i-- {
		after := len(lines) - 1 - i
		text := lines[i]
		f, rule := read(text)
		if !told && after > 0 && len(text) <= wrappedAt { // a phrase may be wrapped
			both := text + " " + unwrapped(lines[i+1:i+2])
			if g, other := read(both); present.rank(other) < present.rank(rule) {
				f, rule, text = g, other, both
			}
		}
		if told = rule < len(present); !told || f.Category == "" {
			continue
		}
		isWeak := present[rule].weak
		if !f.Transient && superseded(lines[i:], present, script) {
			continue
		}
		warning := warns(lines[i])
		if !f.Transient && (after > permanentNear || isWeak && after > consequenceNear || warning && after > warningNear) {
			continue
		}
		warned := warning && !isWeak && !f.Transient
		found := finding{f, isWeak || warned, warned, text, after}
		if found.weak {
			weak = append(weak, found)
		} else {
			causes = append(causes, found)
		}
	}
	return causes, weak
}

// unwrapped joins lines without their indentation and the frames that some tools draw.
func unwrapped(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimLeft(line, " |│╰├└─▶>*"))
	}
	return b.String()
}

// warns reports whether a line is a warning or less: a tool that goes on after it hasn't failed.
func warns(line string) bool {
	if strings.HasPrefix(line, "w: failed to fetch ") { // apt goes on, but without the file
		return false
	}
	start := strings.ReplaceAll(line[:min(len(line), 40)], "information", "") // which is no level of logs
	for _, word := range []string{"warn", "notice", "info", "debug", "note:", "deprecat"} {
		if at := strings.Index(start, word); at >= 0 && !strings.Contains(start[:at], "err") && !strings.Contains(start[:at], "fatal") {
			return true
		}
	}
	return false
}

// hints say how long a server asks to wait.
type hints struct {
	asked     bool
	wait      time.Duration
	ignored   error
	reset     time.Duration // time until the rate limit is reset
	hasReset  bool
	exhausted bool // no requests remain
	forbidden bool // the server asks not to retry
}

// ask records a parsed hint or the reason to ignore it.
func (h *hints) ask(d time.Duration, err error) {
	if err != nil {
		h.ignored = err
		return
	}
	h.asked, h.wait = true, d
}

// settle returns the resulting hint. Without an explicit one, the reset of an exhausted rate limit counts if the request
// was refused.
func (h *hints) settle(refused bool) (asked bool, wait time.Duration, ignored error) {
	if !h.asked && h.hasReset && h.exhausted && refused {
		return true, h.reset, h.ignored
	}
	return h.asked, h.wait, h.ignored
}

// field parses a header field. name is in lower case.
func (h *hints) field(name, value string, now time.Time) {
	name = strings.Replace(strings.TrimPrefix(strings.TrimPrefix(name, "x-"), "x-"), "rate-limit", "ratelimit", 1)
	switch name {
	case "retry-after":
		h.ask(ParseRetryAfter(value, now))
	case "retry-after-ms", "ms-retry-after-ms":
		h.ask(parseMilliseconds(value))
	case "grpc-retry-pushback-ms":
		d, err := parseMilliseconds(value)
		if h.forbidden = err != nil; err == nil {
			h.ask(d, nil)
		}
	case "ratelimit-remaining":
		h.exhausted = value == "0"
	case "ratelimit-reset":
		if d, err := ParseHint(value, now); err == nil {
			h.reset, h.hasReset = d, true
		}
	case "ratelimit":
		h.limit(value)
	}
}

// limit parses the field RateLimit of the IETF draft, in its current syntax ("default";r=0;t=30) and the previous one
// (limit=100, remaining=0, reset=30).
func (h *hints) limit(value string) {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
		name, number, _ := strings.Cut(part, "=")
		switch name {
		case "r", "remaining":
			h.exhausted = number == "0"
		case "t", "reset":
			if d, err := hintDuration(number); err == nil {
				h.reset, h.hasReset = d, true
			}
		}
	}
}

// lines looks for hints in lines, the last of which counts: in the user's formats, and in the usual ones unless the lines
// are a page whose response has a hint in its head.
func (h *hints) lines(text []byte, d *Diagnostics, page bool, now time.Time) {
	usual := d.RetryAfter && !(page && h.asked)
	if !usual && len(d.Hints) == 0 {
		return
	}
	for line := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = line[:min(len(line), lineRead)]
		if h.own(line, d, now) || !usual {
			continue
		}
		if bytes.IndexByte(line, 0x1b) >= 0 {
			line = uncoloured(line)
		}
		if value, ok := retryAfterIn(string(line)); ok {
			h.ask(ParseRetryAfter(value, now))
		} else if d, ok := spokenHint(strings.ToLower(string(line)), now); ok {
			h.ask(d, nil)
		}
	}
}

// own looks for a hint in the user's formats.
func (h *hints) own(line []byte, d *Diagnostics, now time.Time) bool {
	for _, form := range d.Hints {
		if found := form.FindSubmatch(line); found != nil {
			h.ask(ParseHint(string(found[1]), now))
			return true
		}
	}
	return false
}

// remembering returns [matcher.first] with a cache, for texts with repeated lines.
func (m matcher) remembering() func(line string) (Failure, int) {
	type told struct {
		failure Failure
		rule    int
	}
	known := map[string]told{}
	return func(line string) (Failure, int) {
		t, ok := known[line]
		if !ok {
			t.failure, t.rule = m.first(line)
			known[line] = t
		}
		return t.failure, t.rule
	}
}

// superseded reports whether another command started after the failure in lines[0] or, in a script, something else failed
// later: the script tolerated the first failure, which therefore doesn't end retrying.
func superseded(lines []string, present matcher, script bool) bool {
	voice := voiceOf(lines[0])
	for _, line := range lines[1:] {
		if begins(line) {
			return true
		}
		v := voiceOf(line)
		if !script || v == "" || v == voice {
			continue
		}
		if _, rule := present.first(line); rule == len(present) && !consequence(line) {
			return true
		}
	}
	return false
}

// voiceOf returns the beginning of an error message, up to a word like error or fatal: "npm error". It is empty for other
// lines.
func voiceOf(line string) string {
	start := strings.TrimLeft(line, " *!-[")
	start = start[:min(len(start), 40)]
	for _, word := range []string{"error", "fatal", "failed", "failure", "panic", "exception"} {
		if at := strings.Index(start, word); at >= 0 && at < 16 {
			return start[:at+len(word)]
		}
	}
	return ""
}

// consequence reports whether a line probably only says that something failed.
func consequence(line string) bool {
	for _, words := range []string{"exit", "make", "failed to", "failed with", "command failed", "log", "see ", "help", "failed"} {
		if strings.Contains(line, words) {
			return true
		}
	}
	return false
}

// begins reports whether a line is the beginning of another command's output.
func begins(line string) bool {
	for _, start := range []string{"+ ", "++ ", "$ ", "yarn add v", "yarn install v", "yarn run v", "==> ", "cloning into ", "downloading ", "collecting ", "fetching ", "get:1 ", "[1/"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}
