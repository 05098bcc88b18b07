package review

import (
	"encoding/json"
	"hash/maphash"
	"math"
)

// A line holds what a review needs from a report line. Its texts are valid until the next line is read. A missing field has the
// zero value, except that a missing time is negative.
type line struct {
	version  float64
	call     uint64
	event    event
	label    []byte
	time     []byte // when it was written
	start    []byte // when the attempt started
	end      []byte // how the attempt ended
	verdict  []byte
	reason   []byte
	cause    []byte
	schedule []byte
	attempts int
	success  bool
	failures []failure // by reason; a line with failures describes all attempts of its call
	whole    bool      // the line has failures

	// Seconds.
	duration, ran, slept, failed, elapsed, down, up float64
}

// failure is the number of attempts that failed for a reason.
type failure struct {
	reason []byte
	count  int
}

type event int

const (
	otherEvent event = iota
	startEvent
	attemptEvent
	resultEvent
)

// isCount reports whether a number can be a number of attempts.
func isCount(x float64) bool { return x >= 0 && x <= math.MaxInt32 && x == math.Trunc(x) }

// value is a JSON value: a text, a number, a flag, failures by reason, or one that isn't used.
type value struct {
	kind     kind
	text     []byte
	number   float64
	flag     bool
	failures []failure
}

type kind int

const (
	unused kind = iota // or null
	ofText
	ofNumber
	ofFlag
	ofCounts
)

var callSeed = maphash.MakeSeed()

// clear empties the line. The memory for failures is reused.
func (l *line) clear() {
	*l = line{failures: l.failures[:0], duration: -1, ran: -1, slept: -1, failed: -1, elapsed: -1, down: -1, up: -1}
}

// set stores a field. It reports whether the value is valid for that field.
func (l *line) set(key []byte, v value) bool {
	switch string(key) {
	case "v":
		l.version = v.number
		return v.kind == ofNumber
	case "call":
		l.call = maphash.Bytes(callSeed, v.text)
		return v.kind == ofText
	case "event":
		l.event = eventOf(v.text)
		return v.kind == ofText
	case "attempts":
		l.attempts = int(min(v.number, math.MaxInt32))
		return v.kind == ofNumber && isCount(v.number)
	case "success":
		l.success = v.flag
		return v.kind == ofFlag
	case "failures":
		l.failures, l.whole = append(l.failures[:0], v.failures...), true
		return v.kind == ofCounts
	}
	if field := l.textField(key); field != nil {
		*field = v.text
		return v.kind == ofText
	}
	if field := l.timeField(key); field != nil {
		*field = v.number
		return v.kind == ofNumber && v.number >= 0
	}
	return true
}

func eventOf(name []byte) event {
	switch string(name) {
	case "start":
		return startEvent
	case "attempt":
		return attemptEvent
	case "result":
		return resultEvent
	}
	return otherEvent
}

func (l *line) textField(key []byte) *[]byte {
	switch string(key) {
	case "label":
		return &l.label
	case "time":
		return &l.time
	case "start":
		return &l.start
	case "end":
		return &l.end
	case "verdict":
		return &l.verdict
	case "reason":
		return &l.reason
	case "cause":
		return &l.cause
	case "schedule":
		return &l.schedule
	}
	return nil
}

func (l *line) timeField(key []byte) *float64 {
	switch string(key) {
	case "duration":
		return &l.duration
	case "ran":
		return &l.ran
	case "slept":
		return &l.slept
	case "failed":
		return &l.failed
	case "elapsed":
		return &l.elapsed
	case "down":
		return &l.down
	case "up":
		return &l.up
	}
	return nil
}

// read reads a line. It reports whether it is one of retry's.
func (l *line) read(text []byte) bool {
	l.clear()
	if !l.scan(text) {
		l.clear()
		if !l.decode(text) {
			return false
		}
	}
	return l.version != 0
}

// decode reads any line that encoding/json can read.
func (l *line) decode(text []byte) bool {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return false
	}
	if v, ok := object["v"].(float64); ok && v > 1 {
		l.version = v // other versions may have other fields
		return true
	}
	for key, field := range object {
		if field != nil && !l.set([]byte(key), valueOf(field)) {
			return false
		}
	}
	return true
}

// valueOf converts what encoding/json has read.
func valueOf(field any) value {
	switch field := field.(type) {
	case string:
		return value{kind: ofText, text: []byte(field)}
	case float64:
		return value{kind: ofNumber, number: field}
	case bool:
		return value{kind: ofFlag, flag: field}
	case map[string]any:
		v := value{kind: ofCounts}
		for reason, n := range field {
			count, ok := n.(float64)
			if !ok || !isCount(count) {
				return value{kind: unused}
			}
			v.failures = append(v.failures, failure{[]byte(reason), int(count)})
		}
		return v
	}
	return value{kind: unused}
}

// retried reports whether a call that has ended had a failure before its success. An attempt after a success is not a retry.
func (l *line) retried() bool { return l.attempts > 1 && !(l.whole && len(l.failures) == 0) }
