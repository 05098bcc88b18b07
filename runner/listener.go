package runner

import (
	"bytes"
	"sync"
	"time"

	"retry/policy"
	"retry/runner/scan"
)

// lineLimit is how much of a line is heard. What servers and tools say of failures is far shorter.
const lineLimit = 64 << 10

// hearing is what both streams of an attempt are heard for.
type hearing struct {
	mu sync.Mutex
	policy.Hearing
}

// listener takes a stream apart into lines and has those heard that can tell something.
type listener struct {
	stream  int
	hearing *hearing
	trigger *scan.Matcher
	line    []byte // the beginning of a line whose end has not come
}

func newListener(stream int, to *hearing) (*listener, error) {
	trigger, err := scan.New(to.Trigger())
	return &listener{stream: stream, hearing: to, trigger: trigger}, err
}

// Reset starts another stream.
func (l *listener) Reset() { l.line = l.line[:0] }

// Scan takes the next block of the stream.
func (l *listener) Scan(block []byte) {
	if len(l.line) > 0 {
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

// End says that the stream is over, or a line of which there was a beginning.
func (l *listener) End() {
	if len(l.line) > 0 {
		l.hear(l.line)
		l.line = l.line[:0]
	}
}

func (l *listener) keep(part []byte) {
	l.line = append(l.line, part[:min(len(part), lineLimit-len(l.line))]...)
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
		l.hear(line)
		block = rest
	}
}

func (l *listener) hear(line []byte) {
	if l.hearing.Attentive(l.stream) || l.triggers(line) {
		l.hearing.mu.Lock()
		defer l.hearing.mu.Unlock()
		l.hearing.Line(l.stream, line[:min(len(line), lineLimit)], time.Now())
	}
}

func (l *listener) triggers(text []byte) bool {
	l.trigger.Reset()
	l.trigger.Scan(text)
	l.trigger.End()
	return l.trigger.Matched()
}
