package policy

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"sync"
	"time"
)

// Listening is what an attempt's output is listened to for, beside the patterns of rules. The zero value is nothing.
type Listening struct {
	Troubles   bool           // what tools say of failures, HTTP statuses among it
	RetryAfter bool           // how long a server asks to wait
	Hint       *regexp.Regexp // the same in a form of the user's: the first group
}

// Nothing reports whether there is nothing to listen for.
func (l Listening) Nothing() bool { return !l.Troubles && !l.RetryAfter && l.Hint == nil }

// Trigger matches every line that can tell something, and few others. Of status lines it wants that they begin as one
// does: in the log of a server, HTTP/1.1 is in every line.
func (l Listening) Trigger() *syntax.Regexp {
	any := &syntax.Regexp{Op: syntax.OpAlternate, Sub: []*syntax.Regexp{mustParse(`(?:^|\r)(?:< )?[ \t]*HTTP/[0-9]`)}}
	if l.RetryAfter {
		any.Sub = append(any.Sub, mustParse(`(?i)retry-after:`))
	}
	if l.Troubles {
		any.Sub = append(any.Sub, TroubleTrigger())
	}
	if l.Hint != nil {
		any.Sub = append(any.Sub, unanchored(mustParse(l.Hint.String())))
	}
	return any
}

// unanchored matches wherever the expression does, and elsewhere too: the lines that it is tried on may be parts of
// those that the trigger sees, without a carriage return, or only the beginning of a long one.
func unanchored(expression *syntax.Regexp) *syntax.Regexp {
	switch expression.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	}
	for i, part := range expression.Sub {
		expression.Sub[i] = unanchored(part)
	}
	return expression
}

// mustParse parses an expression of the program's own, or one that has been parsed before.
func mustParse(text string) *syntax.Regexp {
	expression, err := syntax.Parse(text, syntax.Perl&^syntax.OneLine)
	if err != nil {
		panic(err)
	}
	return expression
}

// Heard is what an attempt's output told.
type Heard struct {
	HTTP    int           // the status of the last response, 0 for none
	Shown   bool          // its status line was there, so that it counts whatever the command's own status
	Asked   bool          // the last response asked to wait
	Hint    time.Duration // for so long
	Trouble Trouble       // the last that a line told of; its category is empty where none did
	Ignored error         // why the last hint that could not be used was not

	Processed bool // something before the last trouble or response tells that a request may have been processed
}

// unsent reports whether the last trouble or response is one of a request that was not processed: the server has said
// so, or never got it. A 503 says so by asking to come back.
func (h *Heard) unsent() bool {
	return h.Trouble.Unsent || h.Trouble.HTTP == 503 && h.Asked
}

// follow is the same with what has been heard so far being no longer the last.
func (h *Heard) follow() {
	told := h.Trouble.Category != "" || h.HTTP >= 200
	h.Processed = h.Processed || told && !h.unsent()
}

// Hearing follows the output of one attempt. Its methods don't go together: the two streams have to take turns.
type Hearing struct {
	Listening
	heard  Heard
	speech [2]speech
	said   [2]bool // on this stream was said what the last response is; its status line has not come
}

// LineLimit is how much of a line is heard, in bytes. What servers and tools say of failures is far shorter.
const LineLimit = 64 << 10

// speech is where one of the streams is.
type speech int

const (
	beginning speech = iota // nothing has come, or the response before leads to another one
	fields                  // among the fields of a response
	leading                 // the same, of one that leads to another: 1xx, a redirect, a request for credentials
	body                    // in the body of a response
	text                    // in what is no response
)

// Attentive reports whether the next line of the stream has to be heard whatever it is; of the others only those
// that the trigger matches.
func (h *Hearing) Attentive(stream int) bool { return h.speech[stream] < body }

// Reset starts another attempt.
func (h *Hearing) Reset() { *h = Hearing{Listening: h.Listening} }

// Heard is what has been heard.
func (h *Hearing) Heard() Heard { return h.heard }

// Line hears a line, without its newline, of standard output (0) or standard error (1). Where triggered is false, the
// trigger doesn't match it, and it tells only how far a response has come.
func (h *Hearing) Line(stream int, line []byte, triggered bool, now time.Time) {
	if i := bytes.LastIndexByte(line[:max(0, len(line)-1)], '\r'); i >= 0 {
		h.Overwritten(stream, line[:i], triggered, now)
		line = line[i+1:]
	}
	h.segment(stream, line, triggered, now)
}

// Overwritten hears the beginning of a line up to a carriage return, after which the line goes on. What a progress bar
// overwrites is a line of its own.
func (h *Hearing) Overwritten(stream int, text []byte, triggered bool, now time.Time) {
	for part := range bytes.SplitSeq(text, []byte{'\r'}) {
		h.segment(stream, part, triggered, now)
	}
}

func (h *Hearing) segment(stream int, line []byte, triggered bool, now time.Time) {
	line, whole := bytes.CutSuffix(line[:min(len(line), LineLimit)], []byte{'\r'})
	unmarked := bytes.TrimPrefix(line, []byte("< "))
	plain := bytes.TrimLeft(unmarked, " \t")
	at := &h.speech[stream]
	if status, ok := statusLine(plain); ok {
		h.response(stream, status, whole && len(plain) == len(unmarked))
		return
	}
	switch {
	case len(plain) == 0 || string(plain) == "<":
		switch *at {
		case fields:
			*at = body
		case leading:
			*at = beginning
		case beginning:
			*at = text
		}
		return
	case *at == beginning:
		*at = text
	}
	if !triggered {
		return
	}
	// A page may say the same words; what its own response asked for comes first.
	page := stream == 0 && *at == body && h.heard.Asked
	h.hint(line, page, now)
	if h.Troubles {
		if trouble, ok := LineTrouble(line); ok {
			h.trouble(stream, trouble)
		}
	}
}

// response hears a status line. whole is one that stands as in a response itself, not indented and with a carriage
// return. In a body on standard output only such a line counts; a page that shows one must not be taken for one. Other
// text before it only keeps it from counting for a command that succeeds.
func (h *Hearing) response(stream, status int, whole bool) {
	at := &h.speech[stream]
	if *at == body && stream == 0 && !whole {
		return
	}
	// What was said on the other stream may have overtaken the response that it is about.
	overtaken := h.said[1-stream]
	shown := stream == 1 || whole || *at != text
	*at = fields
	if status < 200 || (status >= 300 && status < 400) || status == 401 || status == 407 {
		*at = leading
	}
	if overtaken && status < 200 {
		return
	}
	if !overtaken || status != h.heard.HTTP {
		h.heard.follow()
	}
	h.said = [2]bool{}
	h.heard = Heard{HTTP: status, Shown: shown, Ignored: h.heard.Ignored, Processed: h.heard.Processed}
	h.heard.Trouble, _ = HTTPTrouble(status)
}

// trouble hears of one. One that tells of an HTTP status may be about the response whose status line was seen.
func (h *Hearing) trouble(stream int, t Trouble) {
	if t.HTTP == 0 || t.HTTP != h.heard.HTTP {
		h.heard.follow()
		h.said = [2]bool{}
	}
	if t.HTTP != 0 && t.HTTP != h.heard.HTTP {
		h.heard.HTTP, h.heard.Shown = t.HTTP, false
		h.said[stream] = true
	}
	h.heard.Trouble = t
}

var retryAfter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s<:])retry-after:[ \t]*(.*)`)
})

// hint hears how long to wait, in the user's form or, where the line is not a page's, in the usual one.
func (h *Hearing) hint(line []byte, page bool, now time.Time) {
	if h.Hint != nil {
		if found := h.Hint.FindSubmatch(line); found != nil {
			h.ask(ParseHint(string(found[1]), now))
			return
		}
	}
	if h.RetryAfter && !page {
		if found := retryAfter().FindSubmatch(line); found != nil {
			h.ask(ParseRetryAfter(string(found[1]), now))
		}
	}
}

func (h *Hearing) ask(d time.Duration, err error) {
	if err != nil {
		h.heard.Ignored = err
		return
	}
	h.heard.Asked, h.heard.Hint = true, d
}

// statusLine reads HTTP/1.1 503 Service Unavailable, the words being optional.
func statusLine(line []byte) (status int, ok bool) {
	rest, found := bytes.CutPrefix(line, []byte("HTTP/"))
	version, rest, blank := bytes.Cut(rest, []byte{' '})
	if !found || !blank || len(version) == 0 || len(version) > 3 || version[0] == '.' ||
		len(bytes.Trim(version, "0123456789.")) > 0 {
		return 0, false
	}
	code, _, _ := bytes.Cut(rest, []byte{' '})
	if len(code) != 3 || code[0] < '1' || code[0] > '9' {
		return 0, false
	}
	for _, digit := range code {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		status = status*10 + int(digit-'0')
	}
	return status, true
}
