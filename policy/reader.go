package policy

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// Of a stream are kept its end, whose lines are read when the attempt is over, and what its last HTTP response said
// before its body. So what a stream costs is a copy of its end and a search for status lines, whatever is in it.
const (
	tailLength = 64 << 10
	headLength = 8 << 10 // of a line in a response's head
)

// reader follows one stream.
type reader struct {
	tail  []byte // the end, at most twice [tailLength]
	total int64  // bytes written
	line  []byte // the beginning of a line whose end has not come, at most [headLength]
	mid   bool   // there is such a line
	place place
	page  bool // a line that is no response's own is none: the stream is standard output, which shows pages
	text  bool // something that is neither a response nor blank has come

	response  response // the last
	processed bool     // one before tells that a request may have been processed
}

// place is where a stream is.
type place int

const (
	elsewhere place = iota // in no head
	inHead                 // in the head of a response
	leading                // the same, of one that leads to another: 1xx, a redirect, a request for credentials
	between                // after that
)

// response is what the head of one tells.
type response struct {
	status     int
	head       []byte // the lines of its head, as far as [headLength], each with a newline
	front      int    // the length of what marks its lines
	shown      bool   // that stands as in a response itself, not indented and with a carriage return, or no text before it
	asked      bool   // it asks to come back
	begin, end int64  // where its head begins and where its body does; no end while the head lasts
}

func (r *reader) reset() {
	*r = reader{tail: r.tail[:0], line: r.line[:0], response: response{head: r.response.head[:0]}}
}

// write takes the next block.
func (r *reader) write(block []byte) {
	r.keep(block)
	at := r.total
	r.total += int64(len(block))
	for len(block) > 0 {
		n := r.step(block, at)
		block, at = block[n:], at+int64(n)
	}
}

// keep adds to the tail.
func (r *reader) keep(block []byte) {
	if len(block) >= tailLength {
		r.tail = append(r.tail[:0], block[len(block)-tailLength:]...)
		return
	}
	if len(r.tail)+len(block) > 2*tailLength {
		n := copy(r.tail, r.tail[len(r.tail)+len(block)-tailLength:])
		r.tail = r.tail[:n]
	}
	r.tail = append(r.tail, block...)
}

// step takes the next line, a part of one, or everything up to the next line that may be a status line. It returns how
// much that is.
func (r *reader) step(block []byte, at int64) int {
	if !r.mid && r.place == elsewhere {
		if n := r.skip(block); n > 0 {
			return n
		}
	}
	end := bytes.IndexByte(block, '\n')
	n := end + 1
	if end < 0 {
		end, n = len(block), len(block)
	}
	if end == n { // the line goes on
		room := min(end, headLength-len(r.line))
		r.line, r.mid = append(r.line, block[:max(0, room)]...), true
		return n
	}
	line, begin := block[:end], at
	if r.mid {
		begin -= int64(len(r.line))
		line = append(r.line, line[:min(end, headLength-len(r.line))]...)
		r.line, r.mid = r.line[:0], false
	}
	r.take(line, begin, at+int64(n))
	return n
}

var statusMark = []byte("HTTP/")

// skip is the length of the lines before the next one that may be a status line.
func (r *reader) skip(block []byte) int {
	if found := bytes.Index(block, statusMark); found >= 0 {
		block = block[:found]
	}
	lines := block[:bytes.LastIndexByte(block, '\n')+1]
	if !r.text && len(bytes.TrimSpace(lines)) > 0 {
		r.text = true
	}
	return len(lines)
}

// take reads a whole line, without its newline. A progress bar may have overwritten a part of it.
func (r *reader) take(line []byte, begin, end int64) {
	line, whole := bytes.CutSuffix(line, []byte{'\r'})
	if i := bytes.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:]
		r.text = true
	}
	unmarked := bytes.TrimPrefix(line, []byte("< "))
	plain := bytes.TrimLeft(unmarked, " \t")
	if (r.place == inHead || r.place == leading) && len(plain) > 0 && !bytes.HasPrefix(line, r.response.head[:r.response.front]) {
		r.place, r.response.end = elsewhere, begin // wget and curl mark the lines of a head
	}
	if status, ok := statusLine(plain); ok {
		whole = whole && len(plain) == len(unmarked)
		if whole || !r.page || r.response.status == 0 || r.place != elsewhere {
			r.respond(status, whole, begin)
			r.response.front = len(line) - len(plain)
			r.response.add(line)
			return
		}
	}
	if len(plain) == 0 || string(plain) == "<" {
		switch r.place {
		case inHead:
			r.place, r.response.end = elsewhere, end
		case leading:
			r.place, r.response.end = between, end
		}
		return
	}
	switch r.place {
	case inHead, leading:
		r.response.add(line)
	case between:
		r.place = elsewhere
		fallthrough
	default:
		r.text = true
	}
}

// respond begins another response.
func (r *reader) respond(status int, whole bool, begin int64) {
	if last := r.response.status; last >= 200 && last != 429 && !(last == 503 && r.response.asked) {
		r.processed = true
	}
	r.response = response{status: status, shown: whole || !r.text || !r.page, begin: begin, head: r.response.head[:0]}
	if status < 200 || status >= 300 && status < 400 || status == 401 || status == 407 {
		r.place = leading
		return
	}
	r.place = inHead
}

// add keeps a line of the head.
func (r *response) add(line []byte) {
	const field = "retry-after:"
	if plain := line[min(r.front, len(line)):]; len(plain) > len(field) && bytes.EqualFold(plain[:len(field)], []byte(field)) {
		r.asked = true
	}
	if len(r.head)+len(line) < headLength {
		r.head = append(append(r.head, line...), '\n')
	}
}

// read is what the head says: its status line, the length of the body, -1 where it is not said, and the hints.
func (r *response) read(now time.Time) (line string, length int64, h hints) {
	length = -1
	for field := range bytes.Lines(r.head) {
		field = bytes.TrimSpace(field[min(r.front, len(field)):])
		if line == "" {
			line = string(field)
			continue
		}
		name, value, _ := bytes.Cut(field, []byte{':'})
		key, text := strings.ToLower(string(name)), string(bytes.TrimSpace(value))
		if key != "content-length" {
			h.field(key, text, now)
		} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			length = n
		}
	}
	return line, length, h
}

// last reports whether nothing follows the head but a body of a length, -1 where that is not known.
func (r *reader) last(length int64) bool {
	switch {
	case r.response.status == 0:
		return !r.text
	case r.response.end == 0, r.response.end == r.total:
		return true
	}
	return length >= 0 && r.total <= r.response.end+length+1
}

// failure is what the response tells. A 4xx that asks to come back, or says that nothing remains, is throttling,
// whatever its number; GitHub's is 403. Credentials don't get better by waiting.
func (r *response) failure(h hints) Failure {
	f, _ := HTTPFailure(r.status)
	switch {
	case f.HTTP == 0:
		return Failure{}
	case h.forbidden:
		return Failure{Category: f.Category + ", told not to retry", Rule: "http/pushback", HTTP: f.HTTP}
	case f.HTTP < 500 && f.HTTP != 401 && f.HTTP != 407 && f.HTTP != 429 && (h.asked || h.exhausted):
		f.Rule, f.Transient, f.Throttled = "http/rate-limit", true, true
	}
	return f
}

// statusLine reads HTTP/1.1 503 Service Unavailable, the words being optional.
func statusLine(line []byte) (status int, ok bool) {
	rest, found := bytes.CutPrefix(line, statusMark)
	version, rest, blank := bytes.Cut(rest, []byte{' '})
	if !found || !blank || len(version) == 0 || len(version) > 3 || version[0] == '.' ||
		len(bytes.Trim(version, "0123456789.")) > 0 {
		return 0, false
	}
	code, _, _ := bytes.Cut(rest, []byte{' '})
	if len(code) != 3 || code[0] < '1' || !isDigit(code[0]) || !isDigit(code[1]) || !isDigit(code[2]) {
		return 0, false
	}
	return int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0'), true
}
