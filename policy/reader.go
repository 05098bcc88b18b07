package policy

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// A reader keeps only the end of a stream, whose lines are examined when the attempt is over, and the head of the last
// HTTP response. While the output streams, it only searches for status lines.
const (
	tailLength = 64 << 10
	headLength = 8 << 10 // of a response's head, and of each line in it
)

// reader follows one stream.
type reader struct {
	tail  []byte // the end, up to twice [tailLength]
	total int64  // bytes written
	line  []byte // the beginning of an incomplete line, at most [headLength]
	place place
	page  bool // standard output, where a status line may be part of a page: it counts only if it looks genuine
	text  bool // there was text outside of responses

	response  response // the last one
	processed bool     // an earlier response indicates that a request may have been processed
}

// place is the reader's position in the stream.
type place int

const (
	elsewhere place = iota // outside of a head
	inHead                 // in the head of a response
	leading                // in the head of a response that another one follows: 1xx, a redirect, 401 or 407
	between                // after such a head
)

// response is the head of an HTTP response.
type response struct {
	status     int
	head       []byte // its lines, up to [headLength], each with a newline
	front      int    // length of the prefix of its lines, such as "< "
	shown      bool   // looks genuine: not indented and ending in a carriage return, or preceded by no text
	asked      bool   // has a Retry-After
	begin, end int64  // offsets of the head and of the body; end is 0 in the head
}

func (r *reader) reset() {
	*r = reader{tail: r.tail[:0], line: r.line[:0], response: response{head: r.response.head[:0]}}
}

// write adds the next block.
func (r *reader) write(block []byte) {
	r.keep(block)
	at := r.total
	r.total += int64(len(block))
	for len(block) > 0 {
		n := r.step(block, at)
		block, at = block[n:], at+int64(n)
	}
}

// keep appends a block to the tail.
func (r *reader) keep(block []byte) {
	block = block[max(0, len(block)-tailLength):]
	if len(r.tail)+len(block) > 2*tailLength {
		n := copy(r.tail, r.tail[len(r.tail)+len(block)-tailLength:])
		r.tail = r.tail[:n]
	}
	r.tail = append(r.tail, block...)
}

// end returns the last [tailLength] bytes of the stream, in whatever blocks they came.
func (r *reader) end() []byte { return r.tail[max(0, len(r.tail)-tailLength):] }

// step consumes the next line, the part of it in this block, or everything before the next line that may be a status line.
// It returns the number of bytes consumed. at is the block's offset in the stream.
func (r *reader) step(block []byte, at int64) int {
	if len(r.line) == 0 && r.place == elsewhere {
		if n := r.skip(block); n > 0 {
			return n
		}
	}
	end := bytes.IndexByte(block, '\n')
	if end < 0 { // the line goes on
		r.hold(block)
		return len(block)
	}
	line, begin := block[:end], at-int64(len(r.line))
	if len(r.line) > 0 {
		r.hold(line)
		line = r.line
	}
	r.take(line, begin, at+int64(end)+1)
	r.line = r.line[:0]
	return end + 1
}

// hold appends a part to the incomplete line.
func (r *reader) hold(part []byte) {
	r.line = append(r.line, part[:min(len(part), headLength-len(r.line))]...)
}

var statusMark = []byte("HTTP/")

// skip returns the length of the lines before the next one that may be a status line.
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

// take processes a line without its newline. Only what follows the last carriage return counts, as with a progress bar.
func (r *reader) take(line []byte, begin, end int64) {
	line, whole := bytes.CutSuffix(line, []byte{'\r'})
	if i := bytes.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:]
		r.text = true
	}
	unmarked := bytes.TrimPrefix(line, []byte("< "))
	plain := bytes.TrimLeft(unmarked, " \t")
	if (r.place == inHead || r.place == leading) && len(plain) > 0 && !bytes.HasPrefix(line, r.response.head[:r.response.front]) {
		r.place, r.response.end = elsewhere, begin // wget and curl put a prefix before each line of a head
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

// respond starts another response.
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

// add appends a line to the head.
func (r *response) add(line []byte) {
	const field = "retry-after:"
	if plain := line[min(r.front, len(line)):]; len(plain) > len(field) && bytes.EqualFold(plain[:len(field)], []byte(field)) {
		r.asked = true
	}
	if len(r.head)+len(line) < headLength {
		r.head = append(append(r.head, line...), '\n')
	}
}

// read returns the status line, the length of the body (-1 if unknown) and the hints of a head.
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

// last reports whether nothing follows the last response, whose body has the given length (-1 if unknown).
func (r *reader) last(length int64) bool {
	switch {
	case r.response.status == 0:
		return !r.text
	case r.response.end == 0:
		return true
	}
	return r.total <= r.response.end+length+1 // a shell may have added a newline
}

// failure returns the failure that the response reports. Any 4xx with a Retry-After, or with no requests remaining, is
// throttling, as in GitHub's use of 403, except 401 and 407: waiting doesn't fix credentials.
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

// statusLine parses a line such as HTTP/1.1 503 Service Unavailable. The reason phrase is optional.
func statusLine(line []byte) (status int, ok bool) {
	rest, found := bytes.CutPrefix(line, statusMark)
	version, rest, _ := bytes.Cut(rest, []byte{' '})
	if !found || len(version) == 0 || len(version) > 3 || version[0] == '.' ||
		len(bytes.Trim(version, "0123456789.")) > 0 {
		return 0, false
	}
	code, _, _ := bytes.Cut(rest, []byte{' '})
	if len(code) != 3 || code[0] < '1' || !isDigit(code[0]) || !isDigit(code[1]) || !isDigit(code[2]) {
		return 0, false
	}
	return int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0'), true
}
