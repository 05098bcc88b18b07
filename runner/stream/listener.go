package stream

import (
	"bytes"
	"sync"
	"time"

	"retry/policy"
	"retry/runner/scan"
)

// hearing is what both streams of an attempt have told so far. The streams take turns by the mutex.
type hearing struct {
	mu sync.Mutex
	policy.Hearing
}

// listener splits a stream into lines, and has the hearing take those that may tell something.
type listener struct {
	stream  int
	hearing *hearing
	trigger *scan.Matcher // made when the first stream starts
	within  bool          // a line has begun whose end has not come
	line    []byte        // what is kept of it
}

// compile makes the trigger, the first time. The trigger may take room bytes.
func (l *listener) compile(room int) (err error) {
	if l.trigger == nil {
		l.trigger, err = scan.New(l.hearing.Trigger(), room)
	}
	return err
}

// Reset prepares for another stream.
func (l *listener) Reset() { l.within, l.line = false, l.line[:0] }

// Scan takes the next block of the stream.
func (l *listener) Scan(block []byte) {
	if l.within {
		end := bytes.IndexByte(block, '\n')
		if end < 0 {
			l.keep(block)
			return
		}
		l.keep(block[:end])
		l.End()
		block = block[end+1:]
	}
	last := bytes.LastIndexByte(block, '\n') + 1
	l.lines(block[:last])
	l.keep(block[last:])
}

// End ends the current line, or the stream.
func (l *listener) End() {
	if len(l.line) > 0 {
		l.hear(l.line, l.hearing.Line)
	}
	l.Reset()
}

// keep adds to the current line. A line that gets too long is cut: what a progress bar has overwritten is heard, and
// the rest dropped up to the next carriage return.
func (l *listener) keep(part []byte) {
	for len(part) > 0 {
		l.within = true
		room := min(len(part), policy.LineLimit-len(l.line))
		l.line, part = append(l.line, part[:room]...), part[room:]
		if len(part) == 0 {
			return
		}
		end := bytes.LastIndexByte(l.line, '\r')
		if end < 0 {
			next := bytes.IndexByte(part, '\r')
			if next < 0 {
				return
			}
			part = part[next+1:]
			end = len(l.line)
		}
		l.hear(l.line[:end], l.hearing.Overwritten)
		l.line = append(l.line[:0], l.line[min(end+1, len(l.line)):]...)
	}
}

// lines hears whole lines.
func (l *listener) lines(block []byte) {
	looked := false
	for len(block) > 0 {
		if !looked && !l.hearing.Attentive(l.stream) {
			if looked = true; !l.triggers(block) {
				return
			}
		}
		line, rest, _ := bytes.Cut(block, []byte{'\n'})
		l.hear(line, l.hearing.Line)
		block = rest
	}
}

// hear hands a line, or a part of one, to a method of the hearing, if it may tell something.
func (l *listener) hear(text []byte, by func(stream int, text []byte, triggered bool, now time.Time)) {
	triggered := l.triggers(text)
	if triggered || l.hearing.Attentive(l.stream) {
		l.hearing.mu.Lock()
		defer l.hearing.mu.Unlock()
		by(l.stream, text, triggered, time.Now())
	}
}

// triggers reports whether the trigger matches.
func (l *listener) triggers(text []byte) bool {
	l.trigger.Reset()
	l.trigger.Scan(text)
	l.trigger.End()
	return l.trigger.Matched()
}
